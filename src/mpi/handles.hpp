// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"

namespace echelon {

/// True if a handle can be a datatype's, or an operation's. Asking MPI about an invalid handle would call
/// another communicator's error handler before the call's own. If handles do not encode their kind, only the
/// null handle is rejected.
inline bool may_be_type(MPI_Datatype type) {
    return quirks::can_be(type, quirks::HandleKind::datatype) && type != MPI_DATATYPE_NULL;
}

inline bool may_be_operation(MPI_Op op) {
    return quirks::can_be(op, quirks::HandleKind::operation) && op != MPI_OP_NULL;
}

}  // namespace echelon
