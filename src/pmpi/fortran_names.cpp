// SPDX-License-Identifier: Apache-2.0
// MPI's names in Fortran, where they do not come through those of C: all of Open MPI's, and of MPICH what its
// mpi_f08 calls by PMPI names.
#include "api/errors.hpp"
#include "api/front_door.hpp"
#include "pmpi/fortran.hpp"

namespace ours = echelon;
using namespace echelon::fortran;

#ifdef OPEN_MPI
ECHELON_FORTRAN_NAME(mpi_allreduce, MPI_ALLREDUCE, void* in, void* out, MPI_Fint* count, MPI_Fint* t,
                     MPI_Fint* o, MPI_Fint* c, MPI_Fint* ierror) {
    leave(ierror, ours::allreduce(buffer(in), buffer(out), *count, type(t), op(o), comm(c)));
}

ECHELON_FORTRAN_NAME(mpi_reduce, MPI_REDUCE, void* in, void* out, MPI_Fint* count, MPI_Fint* t, MPI_Fint* o,
                     MPI_Fint* root, MPI_Fint* c, MPI_Fint* ierror) {
    leave(ierror, ours::reduce(buffer(in), buffer(out), *count, type(t), op(o), *root, comm(c)));
}

ECHELON_FORTRAN_NAME(mpi_bcast, MPI_BCAST, void* data, MPI_Fint* count, MPI_Fint* t, MPI_Fint* root,
                     MPI_Fint* c, MPI_Fint* ierror) {
    leave(ierror, ours::bcast(buffer(data), *count, type(t), *root, comm(c)));
}
#endif

ECHELON_FORTRAN_NAME(mpi_barrier, MPI_BARRIER, MPI_Fint* c, MPI_Fint* ierror) {
    leave(ierror, ours::barrier(comm(c)));
}

ECHELON_FORTRAN_NAME(mpi_comm_set_info, MPI_COMM_SET_INFO, MPI_Fint* c, MPI_Fint* info, MPI_Fint* ierror) {
    leave(ierror,
          ours::guarded(comm(c), [&] { return ours::front_set_info(comm(c), PMPI_Info_f2c(*info)); }));
}

ECHELON_FORTRAN_NAME(mpi_comm_dup_with_info, MPI_COMM_DUP_WITH_INFO, MPI_Fint* c, MPI_Fint* info,
                     MPI_Fint* made, MPI_Fint* ierror) {
    MPI_Comm copy = MPI_COMM_NULL;
    leave(ierror, ours::guarded(comm(c), [&] {
              return ours::front_dup_with_info(comm(c), PMPI_Info_f2c(*info), &copy);
          }));
    if (copy != MPI_COMM_NULL) *made = PMPI_Comm_c2f(copy);
}
