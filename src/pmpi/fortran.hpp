// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"

#include <echelon/echelon.hpp>

namespace echelon::fortran {

/// Converts a buffer's address from Fortran to C: Fortran's MPI_IN_PLACE and MPI_BOTTOM are variables, known
/// by their address.
void* buffer(void* address);

/// Stores the code in `ierror`, which is null if a caller of mpi_f08 omitted it.
inline void leave(MPI_Fint* ierror, int code) {
    if (ierror != nullptr) *ierror = MPI_Fint(code);
}

inline MPI_Comm comm(const MPI_Fint* handle) { return PMPI_Comm_f2c(*handle); }
inline MPI_Datatype type(const MPI_Fint* handle) { return PMPI_Type_f2c(*handle); }
inline MPI_Op op(const MPI_Fint* handle) { return PMPI_Op_f2c(*handle); }

}  // namespace echelon::fortran

/// Defines the Fortran procedure `name`: the text that follows is its body. NAME is the same in capitals.
/// `mpif.h` and `use mpi` call it by one of the compilers' spellings, `mpi_f08` by a name with _f08 in it,
/// with handles that are derived types of one integer. MPICH's `mpif.h` and `use mpi` call the names of C.
#if ECHELON_FORTRAN_PASSES_C
#define ECHELON_FORTRAN_NAME(name, NAME, ...)                                                \
    extern "C" ECHELON_API void name##_f08_(__VA_ARGS__);                                    \
    extern "C" ECHELON_API void name##_(__VA_ARGS__) __attribute__((alias(#name "_f08_")));  \
    extern "C" ECHELON_API void name(__VA_ARGS__) __attribute__((alias(#name "_f08_")));     \
    extern "C" ECHELON_API void name##__(__VA_ARGS__) __attribute__((alias(#name "_f08_"))); \
    extern "C" ECHELON_API void NAME(__VA_ARGS__) __attribute__((alias(#name "_f08_")));     \
    extern "C" void name##_f08_(__VA_ARGS__)
#else
#define ECHELON_FORTRAN_NAME(name, NAME, ...)             \
    extern "C" ECHELON_API void name##_f08_(__VA_ARGS__); \
    extern "C" void name##_f08_(__VA_ARGS__)
#endif
