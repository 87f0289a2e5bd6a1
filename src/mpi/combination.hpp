// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/element.hpp"

namespace echelon {

/// The properties of an operation on elements of a type.
struct Combination {
    /// The pair is legal and our algorithms support it. Otherwise the MPI library serves the call or reports
    /// the error.
    bool served = false;
    bool user_made = false;
    bool commutative = true;
    /// Any order of brackets gives the same bits.
    bool exact = false;
    /// Combines elements; null if MPI_Reduce_local must.
    Kernel kernel = nullptr;
};

/// Requires: not MPI_OP_NULL.
Combination combination_of(MPI_Op op, const Element& element);

}  // namespace echelon
