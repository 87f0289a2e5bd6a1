// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/element.hpp"

namespace echelon {

/// What an operation does to elements of a type.
struct Combination {
    /// Surely legal, and within what our algorithms can do; else the MPI library serves the call or says what
    /// is wrong.
    bool served = false;
    bool user_made = false;
    bool commutative = true;
    /// Other brackets give the same result, bit by bit.
    bool exact = false;
    /// Nullptr where MPI_Reduce_local combines.
    Kernel kernel = nullptr;
};

/// Requires: not MPI_OP_NULL.
Combination combination_of(MPI_Op op, const Element& element);

}  // namespace echelon
