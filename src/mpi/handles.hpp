// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"

namespace echelon {

/// Whether a handle can be one of a datatype, or of an operation. To ask MPI about others would call the error handler of another
/// communicator than the call's, and before its own. Where handles do not say what they are, only the null handle is known as none.
inline bool may_be_type(MPI_Datatype type) {
    return quirks::can_be(type, quirks::HandleKind::datatype) && type != MPI_DATATYPE_NULL;
}

inline bool may_be_operation(MPI_Op op) {
    return quirks::can_be(op, quirks::HandleKind::operation) && op != MPI_OP_NULL;
}

}  // namespace echelon
