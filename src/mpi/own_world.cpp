// SPDX-License-Identifier: Apache-2.0
#include "mpi/own_world.hpp"

namespace echelon {
namespace {

/// The ranks of `parent` that are in `user`; null if the library has no communicator left.
Comm made_of(MPI_Comm parent, MPI_Comm user, int tag) {
    MPI_Group group = MPI_GROUP_NULL;
    check(PMPI_Comm_group(user, &group), "MPI_Comm_group");
    Comm made = Comm::try_part(parent, group, tag);
    check(PMPI_Group_free(&group), "MPI_Group_free");
    return made;
}

}  // namespace

OwnWorld::OwnWorld() : comm_(made_of(MPI_COMM_WORLD, MPI_COMM_WORLD, 0)) {}

Route OwnWorld::route() const {
    return {.comm = comm_.get(), .rank = rank_of(comm_.get()), .size = size_of(comm_.get())};
}

// The tag differs from all tags of the route.
Comm OwnWorld::copy(MPI_Comm user) const { return made_of(comm_.get(), user, Route::tags); }

}  // namespace echelon
