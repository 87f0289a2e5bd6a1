// SPDX-License-Identifier: Apache-2.0
#include "estimators/patterns.hpp"

#include "core/ranks.hpp"
#include "flat/tree_cost.hpp"

#include <algorithm>
#include <bit>

namespace echelon {
namespace {

/// From the call of the send to the end of the receive, when nothing is in the way.
Seconds hop(const MessageCost& c) {
    return c.send_overhead + c.start + c.transfer + c.latency + c.receive_overhead;
}

/// Between two messages on the sender's, the receiver's port.
Seconds leaving(const MessageCost& c) { return c.start + c.transfer + c.gap; }
Seconds entering(const MessageCost& c) { return c.circuit ? c.start + c.transfer : c.drain; }

Seconds slowest(const std::array<TreePath, 2>& paths, Seconds level, Seconds wait) {
    Seconds most = 0;
    for (const TreePath& path : paths) most = std::max(most, path.levels * level + path.waits * wait);
    return most;
}

}  // namespace

TreeShape flat_tree(int p) {
    const TreePath path{std::min(p - 1, 1), std::max(p - 2, 0)};
    return {p - 1, 0, {path}, {path}};
}

TreeShape chain_tree(int p) {
    const TreePath path{p - 1, 0};
    return {std::min(p - 1, 1), p > 2 ? 1 : 0, {path}, {path}};
}

/// Rank r stands at the end of the path that the bits of r + 1 below the first one name, a one for the child
/// that is served second: downwards the slowest path ends in the last level, or is all ones in the level
/// above. Upwards the longest path meets as many messages as tree_cost.hpp says; or it is all ones in the
/// level above.
TreeShape binary_tree(int p) {
    const int low = 1 << floor_log2(p), levels = floor_log2(low);
    int ones =
        0;  // the most in the numbers low .. p: those of p, or of p with a one cleared and all bits below set
    for (int bit = 1; bit <= low; bit *= 2) {
        const int number = bit == low ? p : (p & bit) != 0 ? (p & ~bit) | (bit - 1) : low;
        ones = std::max(ones, std::popcount(unsigned(number)) - 1);
    }
    const TreeRounds rounds = binary_rounds(p);
    const TreePath above{std::max(levels - 1, 0), std::max(levels - 1, 0)};
    return {int(rounds.each),
            std::clamp(p - 3, 0, 2),
            {TreePath{levels, ones}, above},
            {TreePath{levels, std::max(int(rounds.fill) - levels, 0)}, above}};
}

/// In each level but the highest a rank serves radix - 1 others, and the slowest path leads through the last.
/// The path begins below the highest level, after all its messages, or with the last message in it and goes
/// on in the last child's subtree, which may be smaller.
TreeShape knomial_tree(int p, int radix) {
    if (p < 2) return {};
    int levels = 0, stride = 1;
    for (; (long long)(stride)*radix < p; stride *= radix) ++levels;
    const int highest = (p - 1) / stride;
    const TreePath lower{levels, levels == 0 ? 0 : levels * (radix - 2) + highest};

    TreePath upper{1, highest - 1};
    if (levels > 0) {
        const auto messages = [](const TreePath& path) { return path.levels + path.waits; };
        const auto below = knomial_tree(std::min(stride, p - stride), radix).down;
        const TreePath& longer = messages(below[0]) > messages(below[1]) ? below[0] : below[1];
        upper = {1 + longer.levels, highest - 1 + longer.waits};
    }
    return {levels * (radix - 1) + highest, levels * (radix - 1), {lower, upper}, {lower, upper}};
}

Seconds time_down(const TreeShape& tree, double segments, Bytes segment, const Network& network) {
    const MessageCost c = message_cost(network, {segment, tree.fan});
    const Seconds between = std::max(c.send_overhead, leaving(c));
    const Seconds processor =
        std::max(tree.fan * c.send_overhead, c.receive_overhead + tree.inner_fan * c.send_overhead);
    const Seconds busiest = std::max({tree.fan * between, entering(c), processor});
    return slowest(tree.down, hop(c), between) + (segments - 1) * busiest;
}

Seconds time_up(const TreeShape& tree, double segments, Bytes segment, const Network& network,
                SecondsPerByte gamma) {
    const MessageCost c = message_cost(network, {segment, 1});
    const Seconds combining = double(segment) * gamma, taking = c.receive_overhead + combining;
    const Seconds processor = std::max(tree.fan * taking, tree.inner_fan * taking + c.send_overhead);
    const Seconds busiest = std::max({leaving(c), tree.fan * entering(c), processor});
    return slowest(tree.up, hop(c) + combining, std::max(entering(c), taking)) + (segments - 1) * busiest;
}

Seconds time_between_arrivals(Bytes bytes, const Network& network) {
    const MessageCost c = message_cost(network, {bytes, 1});
    return std::max(entering(c), c.receive_overhead);
}

Seconds time_between_messages(Bytes bytes, const Network& network, SecondsPerByte gamma) {
    const MessageCost c = message_cost(network, {bytes, 1});
    const Seconds processor = c.send_overhead + c.receive_overhead + double(bytes) * gamma;
    return std::max({leaving(c), entering(c), processor});
}

Seconds time_of_paths(const TreeShape& tree, const Network& network) {
    return time_down(tree, 1, 0, network);
}

Seconds time_exchange(int peers, Bytes bytes, const Network& network) {
    const MessageCost c = message_cost(network, {bytes, peers});
    const Seconds processor = peers * (c.send_overhead + c.receive_overhead);
    return std::max(hop(c) + (peers - 1) * std::max({c.send_overhead, leaving(c), entering(c)}), processor);
}

Seconds time_stage(int peers, Bytes bytes, const Network& network, SecondsPerByte gamma) {
    const MessageCost c = message_cost(network, {bytes, peers});
    const Seconds combining = double(bytes) * gamma;
    return time_exchange(peers, bytes, network) + (peers - 1) * c.receive_overhead + peers * combining;
}

}  // namespace echelon
