// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "support/kinds.hpp"

namespace echelon {

/// A collective as Echelon serves it, not in place and in place: all bytes of both buffers are as they should be on all ranks. Where a
/// result arrives, it is what the MPI library combines, or what the ranks gave; elsewhere, in gaps, around the buffers and behind a result,
/// in what is sent and on ranks that receive nothing, it is what was there before. `count` elements, in each block where ranks have blocks.
/// Not for barriers. Collective over `comm`.
void expect_as_native(MPI_Comm comm, Collective collective, const Kind& kind, std::size_t count, int root);

/// Every algorithm of the catalog, and shapes that serve such calls.
std::vector<std::string> recipes_of(Collective collective);

/// Whether one of our recipes ran such a call since it was forced.
bool ran(MPI_Comm comm, Collective collective);

}  // namespace echelon
