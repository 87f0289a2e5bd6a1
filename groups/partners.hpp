// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace echelon {

using Pairs = std::vector<std::pair<int, int>>;

/// Pairs of ranks whose messages measure the network of a machine. Most of them start at one node: the
/// busiest, preferably one that shares its switch with other nodes. Equal on all ranks.
struct Partners {
    /// `most_at_once`: largest number of ranks to which one rank sends at once.
    Partners(const Placement& placement, std::size_t most_at_once);

    /// Disjoint pairs inside that node, and its ranks each with a rank of as few other nodes as possible.
    Pairs inside, across;
    /// Single pairs with nodes on the same switch. In a torus: with nodes at distance `hops`, and with one at
    /// the largest distance.
    std::vector<Pairs> far, farthest;
    int hops = 0, most_hops = 0;
    /// Pairs from the node's switch to other switches of its site, and from its site to other sites, if there
    /// are any.
    struct WayOut {
        Level level;
        /// Single pairs, each with one node of some of the other switches (sites).
        std::vector<Pairs> lone = {};
        /// Nodes here, each with a node of one other switch (site): all these pairs share the uplink.
        Pairs uplink = {};
    };
    std::vector<WayOut> ways_out;
    /// One sender, followed by its receivers: in its node, and in as many other nodes on its switch as there
    /// are.
    std::vector<int> inside_fan, between_fan;
};

}  // namespace echelon
