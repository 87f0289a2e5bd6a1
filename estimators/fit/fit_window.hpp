// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "groups/placement.hpp"

namespace echelon {

/// What `shm` takes between ranks of one node: an allreduce of 8 bytes, mostly a hand-over, and a long broadcast, mostly copying.
struct WindowSamples {
    static constexpr Bytes sum_bytes = 8, bcast_bytes = Bytes(256) << 10;
    Seconds sum = 0, bcast = 0;
};

/// The memory with which replays on that machine take what was measured, of ranks that sit so. A byte takes no less than the
/// machine copies one in, whatever else disturbed the calls. Requires: they are of
/// one node.
SharedMemory fit_window(const Machine& machine, const Placement& node, const WindowSamples& samples);

}  // namespace echelon
