// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks.hpp"
#include "mpi/check.hpp"

#include <optional>

namespace echelon {

/// Consecutive bytes, from the address of an element on.
struct Run {
    MPI_Count begin = 0, length = 0;
};

/// The bytes of an element, where its map takes them one after the other: an element sent as bytes arrives as
/// MPI would have sent it. Nullopt: it leaves gaps, jumps or repeats, or says so at such length that it does
/// not pay to read on. Told by how the type was made: its sizes do not know the order.
std::optional<Run> run_of(MPI_Datatype type);

}  // namespace echelon
