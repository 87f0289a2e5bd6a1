// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "groups/placement.hpp"

namespace echelon {

/// Times of `shm` between ranks of one node: an allreduce of 8 bytes, mostly a hand-over, and a long
/// broadcast, mostly copying.
struct WindowSamples {
    static constexpr Bytes sum_bytes = 8, bcast_bytes = Bytes(256) << 10;
    Seconds sum = 0, bcast = 0;
};

/// Parameters of shared memory with which replays on this machine match the samples, for ranks placed like
/// `node`. The time per byte is at least the machine's copy time, even if noise suggests less. Requires: the
/// ranks share one node.
SharedMemory fit_window(const Machine& machine, const Placement& node, const WindowSamples& samples);

}  // namespace echelon
