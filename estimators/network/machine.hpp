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

/// Model of point-to-point messages, with its parameters.
using Network = std::variant<Hockney, PiecewiseHockney, LogGP, PLogP, Postal, Protocol>;

inline MessageCost message_cost(const Network& network, Bytes bytes) {
    return std::visit([&](const auto& model) { return model.message(bytes); }, network);
}

/// Time of one message from end to end on an idle network.
inline Seconds message_time(const Network& network, double bytes) {
    return std::visit([&](const auto& model) { return model.time(bytes); }, network);
}

constexpr BytesPerSecond unlimited = std::numeric_limits<double>::infinity();

/// A level above the nodes: switches or sites.
struct Beyond {
    Level level = Level::site;
    /// Between nodes of different switches (sites).
    Network network = {};
    /// Switch (site) of each node, indexed by node.
    std::vector<int> of_node = {};
    /// Rate of the link into each switch (site), and of the link out of it. All messages that pass share the
    /// link.
    BytesPerSecond uplink = unlimited;
    /// Typical relative deviation of samples from `network`.
    double residual = 0;

    friend bool operator==(const Beyond&, const Beyond&) = default;
};

/// A torus network: nodes forward the messages of others.
struct Torus {
    std::vector<TorusPosition> of_node = {};
    /// Latency that each further link adds to a message, and rate of a link in each direction.
    Seconds hop = 0;
    BytesPerSecond link = unlimited;
    /// Number of links between the nodes to which `between` was fitted.
    int hops = 1;

    friend bool operator==(const Torus&, const Torus&) = default;
};

/// Memory that the ranks of a node share, for data in a window.
struct SharedMemory {
    /// From a store of one processor until another processor sees it.
    Seconds hand_over = 0;
    /// One processor copies data that another wrote or will read, while all other processors of the node
    /// copy, too.
    SecondsPerByte copy = 0;

    friend bool operator==(const SharedMemory&, const SharedMemory&) = default;
};

/// Time per byte of each of `ranks` ranks of a node that copy, or combine, at the same time.
struct WorkAtOnce {
    int ranks = 1;
    SecondsPerByte copy = 0, combine = 0;

    friend bool operator==(const WorkAtOnce&, const WorkAtOnce&) = default;
};

/// WorkAtOnce by ascending number of ranks, from one to the largest measured number.
using AtWork = std::vector<WorkAtOnce>;

/// Time per byte with `ranks` ranks at work, relative to the time with the largest measured number. Linear
/// between measured numbers; 1 if `known` has no data.
inline double share_of_crowd(const AtWork& known, SecondsPerByte WorkAtOnce::*what, int ranks) {
    if (known.empty() || known.back().*what <= 0) return 1;
    const auto more = std::ranges::find_if(known, [&](const WorkAtOnce& one) { return one.ranks >= ranks; });
    if (more == known.end()) return 1;
    if (more == known.begin()) return *more.*what / known.back().*what;
    const auto fewer = more - 1;
    const double part = double(ranks - fewer->ranks) / double(more->ranks - fewer->ranks);
    return ((1 - part) * (*fewer.*what) + part * (*more.*what)) / known.back().*what;
}

/// The machine on which a schedule is replayed: a plain value.
struct Machine {
    /// Network between ranks of one node, and between ranks of different nodes of one switch and site.
    Network inside = {};
    Network between = {};
    /// Node of each rank; empty: every rank is on a node of its own.
    std::vector<int> nodes = {};
    /// Rate of a node's network card in each direction, and of its memory for messages between its own ranks.
    /// The messages that leave (enter, stay in) a node at the same time share it equally. Each message is
    /// carried no faster than its own network does (max-rate model, Gropp, Olson and Samfass 2016).
    BytesPerSecond card = unlimited;
    BytesPerSecond memory = unlimited;
    /// True: a rank has one pair of ports for all its messages. False: messages inside the node have ports of
    /// their own, because the processor copies them while the card carries the others.
    bool one_port = false;
    /// Combining and copying on the rank's processor while all ranks of its node do the same.
    SecondsPerByte gamma = 0;
    SecondsPerByte copy = 0;
    /// Empty: data in a window has no price.
    std::optional<SharedMemory> window = {};
    /// Time of work in a window by the number of ranks at work; empty: not measured.
    AtWork at_work = {};

    /// Nearest level first. A message uses the network of the farthest level at which its ranks' nodes
    /// differ.
    std::vector<Beyond> beyond = {};
    /// Replaces `beyond`.
    std::optional<Torus> torus = {};

    /// Level of a message: 0 inside a node, 1 between nodes, 2 between different parts of `beyond[0]`, and
    /// onwards; in a torus the number of links.
    std::size_t level(int from, int to) const {
        const auto a = std::size_t(node(from)), b = std::size_t(node(to));
        if (a == b) return 0;
        if (torus) return std::size_t(hops(torus->of_node[a], torus->of_node[b]));
        std::size_t level = beyond.size();
        while (level > 0 && beyond[level - 1].of_node[a] == beyond[level - 1].of_node[b]) --level;
        return level + 1;
    }
    /// Number of levels.
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

    /// True if the network between the parts of a level is known.
    bool has(Level level) const {
        return std::ranges::any_of(beyond, [&](const Beyond& one) { return one.level == level; });
    }

    int node(int rank) const { return nodes.empty() ? rank : nodes[std::size_t(rank)]; }

    friend bool operator==(const Machine&, const Machine&) = default;
};

/// Layout under which measurements on this machine are filed. It ignores switches unless messages between
/// switches were measured: measurements made without knowledge of switches then apply to all placements.
inline std::string layout_on(const Machine& machine, const Placement& placement) {
    return layout_of(machine.has(Level::leaf_switch) ? placement : placement.without_switches());
}

/// A machine with one network for all ranks.
inline Machine uniform_machine(const Network& network, SecondsPerByte gamma = 0) {
    return {.inside = network, .between = network, .gamma = gamma};
}

/// Node of each rank, with `ranks_per_node` consecutive ranks per node.
inline std::vector<int> block_nodes(int p, int ranks_per_node) {
    std::vector<int> nodes(static_cast<std::size_t>(p));
    for (int r = 0; r < p; ++r) nodes[std::size_t(r)] = r / ranks_per_node;
    return nodes;
}

}  // namespace echelon
