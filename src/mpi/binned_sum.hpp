// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// The datatype of Binned (core/order_free_sum.hpp), and the operation that adds them. Made by the first
/// caller. Local; any thread. Error: the library cannot make them.
MPI_Datatype binned_type();
MPI_Op binned_sum();
/// True if the operation is binned_sum(), without making it.
bool is_binned_sum(MPI_Op op);
/// Frees both, if they were made. Requires: no call that uses them follows.
void free_binned_sum();

}  // namespace echelon
