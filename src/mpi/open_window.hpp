// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"
#include "mpi/route.hpp"
#include "shm/boards.hpp"

namespace echelon {

/// Simulated ranks send messages: memory accesses take no virtual time.
constexpr bool memory_is_shared = !quirks::simulated;

/// A board between the ranks of a route. It reuses a board that these processes have in this order, if all of
/// them may use it (Boards); otherwise rank 0 makes the memory and the others open it. Returns an empty lease
/// on all ranks if one of them cannot get the memory. The board knows the memory of all ranks. Requires: all
/// ranks on one node. Collective over the route, by messages on it.
Boards::Lease open_board(const Route& route, const WindowShape& shape, Boards& boards);

}  // namespace echelon
