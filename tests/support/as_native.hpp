// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "support/kinds.hpp"

namespace echelon {

/// Compares a collective of Echelon with the MPI library's own, in place and not: all bytes of both buffers
/// must be right on all ranks. A result must equal the library's combination or the input of the ranks. All
/// other bytes must be unchanged: gaps, bytes around the buffers and behind a result, send buffers, and
/// receive buffers of ranks that receive nothing. `count` is the number of elements, in each block if ranks
/// have blocks. Not for barriers. Collective over `comm`.
void expect_as_native(MPI_Comm comm, Collective collective, const Kind& kind, std::size_t count, int root);

/// All algorithms of the catalog, and shapes that serve the collective.
std::vector<std::string> recipes_of(Collective collective);

/// True if a recipe other than native has run for this collective since it was forced.
bool ran(MPI_Comm comm, Collective collective);

}  // namespace echelon
