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

/// The bytes of an element if its map lists them one after the other: sent as bytes, the element arrives like
/// MPI would send it. The result is empty if the map has gaps, jumps or repeats, or if its description is too
/// long to read. The answer comes from the type's constructors: its sizes do not tell the order.
std::optional<Run> run_of(MPI_Datatype type);

}  // namespace echelon
