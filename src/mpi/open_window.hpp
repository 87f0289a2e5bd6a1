// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"
#include "mpi/route.hpp"
#include "shm/boards.hpp"

namespace echelon {

/// Simulated ranks have no time for what passes through memory: they send messages.
constexpr bool memory_is_shared = !quirks::simulated;

/// A board between the ranks of a route, which sit on one node: one that these processes have in this order already, where all of
/// them may use it (Boards), or else rank 0 makes the memory, and the others open it. None on all of them: one of them had none,
/// or may hold no more. All have introduced themselves on it. Collective over the route, by messages on it.
Boards::Lease open_board(const Route& route, const WindowShape& shape, Boards& boards);

}  // namespace echelon
