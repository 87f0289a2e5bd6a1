// SPDX-License-Identifier: Apache-2.0
#include "mpi/own_world.hpp"

namespace echelon {
namespace {

/// Those of `parent` that are in `user`; null where none is left.
Comm made_of(MPI_Comm parent, MPI_Comm user) {
    MPI_Group group = MPI_GROUP_NULL;
    check(PMPI_Comm_group(user, &group), "MPI_Comm_group");
    MPI_Comm made = MPI_COMM_NULL;
    const int error = PMPI_Comm_create_group(parent, group, 0, &made);
    check(PMPI_Group_free(&group), "MPI_Group_free");
    if (error != MPI_SUCCESS || made == MPI_COMM_NULL) return {};
    check(PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return Comm(made);
}

}  // namespace

OwnWorld::OwnWorld() : comm_(made_of(MPI_COMM_WORLD, MPI_COMM_WORLD)) {}

Comm OwnWorld::copy(MPI_Comm user) const { return made_of(comm_.get(), user); }

}  // namespace echelon
