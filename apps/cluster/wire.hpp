// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/tap.hpp"

#include <atomic>
#include <vector>

namespace echelon::cluster {

/// Punctuality of the wire, readable while it runs.
struct Punctuality {
    std::atomic<std::uint64_t> frames;
    std::atomic<std::uint64_t> late_ns;
    std::atomic<std::uint64_t> latest_ns;
};

/// Cards of all nodes, owned by the main process of the cluster.
struct Cables {
    /// One card per node in the shaped network and one in the control network, which starts programs and is
    /// not shaped. The control network has one more, the launcher's.
    std::vector<Tap> shaped, control;
};

/// Moves frames until SIGTERM, which the caller must have blocked, or until a child ends. Returns true for
/// the signal.
bool move_frames(Cables& cables, const Shape& shape, Punctuality& punctuality);

}  // namespace echelon::cluster
