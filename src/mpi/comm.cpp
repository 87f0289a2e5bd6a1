// SPDX-License-Identifier: Apache-2.0
#include "mpi/comm.hpp"

namespace echelon {

Comm Comm::split(MPI_Comm parent, int color, int key) {
    MPI_Comm made = MPI_COMM_NULL;
    check(PMPI_Comm_split(parent, color, key, &made), "MPI_Comm_split");
    Comm owner(made);
    if (made != MPI_COMM_NULL)
        check(PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return owner;
}

Comm Comm::try_split(MPI_Comm parent, int color, int key) {
#ifdef ECHELON_SMPI
    return split(parent, color, key);  // there are no error handlers
#else
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    check(PMPI_Comm_get_errhandler(parent, &handler), "MPI_Comm_get_errhandler");
    check(PMPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    Comm made;
    try {
        made = split(parent, color, key);
    } catch (const MpiError&) {
    }
    check(PMPI_Comm_set_errhandler(parent, handler), "MPI_Comm_set_errhandler");
    check(PMPI_Errhandler_free(&handler), "MPI_Errhandler_free");
    return made;
#endif
}

int rank_of(MPI_Comm comm) {
    int rank = 0;
    check(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}

int size_of(MPI_Comm comm) {
    int size = 0;
    check(PMPI_Comm_size(comm, &size), "MPI_Comm_size");
    return size;
}

}  // namespace echelon
