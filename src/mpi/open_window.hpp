// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"
#include "mpi/route.hpp"
#include "shm/board.hpp"

#include <memory>

namespace echelon {

/// Simulated ranks have no time for what passes through memory: they send messages.
constexpr bool memory_is_shared = !quirks::simulated;

/// A board between the ranks of a route, which sit on one node: rank 0 makes the memory, the others open it.
/// Nullptr on all of them: one of them had none, or its part of all boards that it holds would take more than
/// `most` bytes. All have introduced themselves on it. Collective over the route, by messages on it.
std::shared_ptr<Board> open_board(const Route& route, const WindowShape& shape, Bytes most);

}  // namespace echelon
