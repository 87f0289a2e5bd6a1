// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace echelon {

using Pairs = std::vector<std::pair<int, int>>;

/// Pairs of ranks whose messages show what a machine's network does: most of them of one node, the busiest, which others share a
/// switch with if there is such a one. The same on all ranks.
struct Partners {
    /// One rank sends to `most_at_once` at once, or fewer.
    Partners(const Placement& placement, std::size_t most_at_once);

    /// All pairs of that node, and all ranks of it with one of another node each.
    Pairs inside, across;
    /// To nodes on the same switch; in a torus to such as are so many links away, and to one of the farthest.
    std::vector<Pairs> far, farthest;
    int hops = 0, most_hops = 0;
    /// From the node's switch to others of its site, and from its site to others, where there are such.
    struct WayOut {
        Level level;
        /// To one node of some of them each.
        std::vector<Pairs> lone = {};
        /// Nodes here, each with one of the same other switch (site).
        Pairs uplink = {};
    };
    std::vector<WayOut> ways_out;
    /// Rank after rank whom the first one sends to: in its node, and in as many others on its switch as there are.
    std::vector<int> inside_fan, between_fan;
};

}  // namespace echelon
