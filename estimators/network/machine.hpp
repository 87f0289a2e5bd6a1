// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/hockney.hpp"
#include "estimators/network/logp.hpp"
#include "estimators/network/postal.hpp"
#include "estimators/network/protocol.hpp"
#include "groups/layout.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace echelon {

/// A model of point-to-point messages with its parameters.
using Network = std::variant<Hockney, PiecewiseHockney, LogGP, PLogP, Postal, Protocol>;

inline MessageCost message_cost(const Network& network, Bytes bytes) {
    return std::visit([&](const auto& model) { return model.message(bytes); }, network);
}

/// What one message takes from end to end when nothing else is under way.
inline Seconds message_time(const Network& network, double bytes) {
    return std::visit([&](const auto& model) { return model.time(bytes); }, network);
}

constexpr BytesPerSecond unlimited = std::numeric_limits<double>::infinity();

/// What lies beyond the nodes: switches, sites.
struct Beyond {
    Level level = Level::site;
    /// Between nodes of different ones.
    Network network = {};
    /// The one that each node belongs to, by the node's number.
    std::vector<int> of_node = {};
    /// What leads into one carries, and out of it: all messages that pass share it.
    BytesPerSecond uplink = unlimited;
    /// How far typical samples are from the network.
    double residual = 0;

    friend bool operator==(const Beyond&, const Beyond&) = default;
};

/// Nodes that pass on the messages of others.
struct Torus {
    std::vector<TorusPosition> of_node = {};
    /// Each further link adds so much to a message's latency, and carries so much in each direction.
    Seconds hop = 0;
    BytesPerSecond link = unlimited;
    /// So many links are between the nodes that `between` was fitted to.
    int hops = 1;

    friend bool operator==(const Torus&, const Torus&) = default;
};

/// Memory that the ranks of a node share, for what goes through a window.
struct SharedMemory {
    /// From a store of one processor until another finds it.
    Seconds hand_over = 0;
    /// One processor copies from what another wrote, or into what others will read, while all others of the node do so, too.
    SecondsPerByte copy = 0;

    friend bool operator==(const SharedMemory&, const SharedMemory&) = default;
};

/// What a byte takes each of so many ranks of a node that copy, or combine, at the same time.
struct WorkAtOnce {
    int ranks = 1;
    SecondsPerByte copy = 0, combine = 0;

    friend bool operator==(const WorkAtOnce&, const WorkAtOnce&) = default;
};

/// It by the number of ranks, from one to as many as were measured.
using AtWork = std::vector<WorkAtOnce>;

/// What a byte takes where so many ranks are at work, by what it takes where all of them are: at most 1. Between measured numbers by a line; 1
/// where nothing is known.
inline double share_of_crowd(const AtWork& known, SecondsPerByte WorkAtOnce::*what, int ranks) {
    if (known.empty() || known.back().*what <= 0) return 1;
    const auto more = std::ranges::find_if(known, [&](const WorkAtOnce& one) { return one.ranks >= ranks; });
    if (more == known.end()) return 1;
    if (more == known.begin()) return *more.*what / known.back().*what;
    const auto fewer = more - 1;
    const double part = double(ranks - fewer->ranks) / double(more->ranks - fewer->ranks);
    return ((1 - part) * (*fewer.*what) + part * (*more.*what)) / known.back().*what;
}

/// The machine that a schedule is replayed on: a plain value.
struct Machine {
    /// Between ranks of one node, and of different nodes.
    Network inside = {};
    Network between = {};
    /// The node of each rank; empty: every rank is a node of its own.
    std::vector<int> nodes = {};
    /// What a node's network card carries in each direction, and its memory between its own ranks. The
    /// messages that leave (enter, stay in) a node at the same time share it equally; each one is carried no
    /// faster than its own network does (max-rate model, Gropp, Olson and Samfass 2016).
    BytesPerSecond card = unlimited;
    BytesPerSecond memory = unlimited;
    /// One pair of ports per rank for all its messages. Else messages inside the node have ports of their
    /// own: the processor copies them, while the card carries the others.
    bool one_port = false;
    /// Combining and copying, on the rank's processor, while all ranks of its node do so.
    SecondsPerByte gamma = 0;
    SecondsPerByte copy = 0;
    /// Nothing: what goes through it has no price.
    std::optional<SharedMemory> window = {};
    /// How much less work in a window takes while fewer do; empty: that is not known.
    AtWork at_work = {};

    /// The nearest first: a message goes by the network of the farthest in which its ranks' nodes differ.
    std::vector<Beyond> beyond = {};
    /// Instead of levels.
    std::optional<Torus> torus = {};

    /// 0 inside a node, 1 between nodes, 2 between those of different `beyond[0]`; in a torus as many as there are links.
    std::size_t level(int from, int to) const {
        const auto a = std::size_t(node(from)), b = std::size_t(node(to));
        if (a == b) return 0;
        if (torus) return std::size_t(hops(torus->of_node[a], torus->of_node[b]));
        std::size_t level = beyond.size();
        while (level > 0 && beyond[level - 1].of_node[a] == beyond[level - 1].of_node[b]) --level;
        return level + 1;
    }
    /// There are so many.
    std::size_t levels() const {
        if (!torus) return 2 + beyond.size();
        std::size_t farthest = 1;
        if (!torus->of_node.empty())
            for (const std::uint8_t ring : torus->of_node.front().size) farthest += ring / 2;
        return farthest + 1;
    }
    MessageCost message(std::size_t level, Bytes bytes) const {
        if (level == 0) return message_cost(inside, bytes);
        if (!torus) return message_cost(level == 1 ? between : beyond[level - 2].network, bytes);
        MessageCost cost = message_cost(between, bytes);
        cost.latency = std::max(0.0, cost.latency + (double(level) - torus->hops) * torus->hop);
        return cost;
    }

    /// Messages between its parts are known.
    bool has(Level level) const {
        return std::ranges::any_of(beyond, [&](const Beyond& one) { return one.level == level; });
    }

    int node(int rank) const { return nodes.empty() ? rank : nodes[std::size_t(rank)]; }

    friend bool operator==(const Machine&, const Machine&) = default;
};

/// The layout of what is measured on it: without switches, unless messages between them were measured, so that what was measured
/// where nobody knew of them goes for all.
inline std::string layout_on(const Machine& machine, const Placement& placement) {
    return layout_of(machine.has(Level::leaf_switch) ? placement : placement.without_switches());
}

/// One network for all ranks.
inline Machine uniform_machine(const Network& network, SecondsPerByte gamma = 0) {
    return {.inside = network, .between = network, .gamma = gamma};
}

/// Runs of `ranks_per_node` consecutive ranks.
inline std::vector<int> block_nodes(int p, int ranks_per_node) {
    std::vector<int> nodes(static_cast<std::size_t>(p));
    for (int r = 0; r < p; ++r) nodes[std::size_t(r)] = r / ranks_per_node;
    return nodes;
}

}  // namespace echelon
