// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// Whether a handle can be one of a datatype, or of an operation. MPICH's say of what kind they are; to ask
/// MPI about others would call the error handler of another communicator than the call's, and before its own.
/// Elsewhere only the null handle is known as none.
inline bool may_be_type(MPI_Datatype type) {
#ifdef MPICH_VERSION
    constexpr unsigned kinds = 0x3c000000, types = 0x0c000000;
    if ((unsigned(type) & kinds) != types || unsigned(type) >> 30 == 0) return false;
#endif
    return type != MPI_DATATYPE_NULL;
}

inline bool may_be_operation(MPI_Op op) {
#ifdef MPICH_VERSION
    constexpr unsigned kinds = 0x3c000000, operations = 0x18000000;
    if ((unsigned(op) & kinds) != operations || unsigned(op) >> 30 == 0) return false;
#endif
    return op != MPI_OP_NULL;
}

}  // namespace echelon
