// SPDX-License-Identifier: Apache-2.0
#include "mpi/own_world.hpp"

namespace echelon {
namespace {

/// Those of `parent` that are in `user`; null where none is left.
Comm made_of(MPI_Comm parent, MPI_Comm user) {
    MPI_Group group = MPI_GROUP_NULL;
    check(PMPI_Comm_group(user, &group), "MPI_Comm_group");
    Comm made = Comm::try_part(parent, group);
    check(PMPI_Group_free(&group), "MPI_Group_free");
    return made;
}

}  // namespace

OwnWorld::OwnWorld() : comm_(made_of(MPI_COMM_WORLD, MPI_COMM_WORLD)) {}

Comm OwnWorld::copy(MPI_Comm user) const { return made_of(comm_.get(), user); }

}  // namespace echelon
