// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/tap.hpp"

#include <atomic>
#include <vector>

namespace echelon::cluster {

/// How well the wire keeps time, for whoever looks while it runs.
struct Punctuality {
    std::atomic<std::uint64_t> frames;
    std::atomic<std::uint64_t> late_ns;
    std::atomic<std::uint64_t> latest_ns;
};

/// What a cluster consists of, seen from its one process.
struct Cables {
    /// Of each node: the shaped network, and the one that starts programs, which is not shaped. The second
    /// has one more, the launcher's.
    std::vector<Tap> shaped, control;
};

/// Moves frames until SIGTERM, which must be blocked by the caller, or until a child ends. Exit: true for the
/// signal.
bool move_frames(Cables& cables, const Shape& shape, Punctuality& punctuality);

}  // namespace echelon::cluster
