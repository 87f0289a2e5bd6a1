// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allreduce.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace echelon {
namespace {

/// The place of a rank in two binary trees in post-order, one over each half of the ranks. A subtree is a run
/// of ranks that ends with its root. The ranks before the root are halved, and the halves end with its
/// children.
///
///   p = 10        4           9
///               1   3       6   8
///              0   2       5   7
struct TwinTree {
    TwinTree(int p, int rank) {
        const int half = p / 2;
        int first = rank < half ? 0 : half, root = (rank < half ? half : p) - 1;
        if (rank == root && p > 1) other_root = rank < half ? p - 1 : half - 1;
        while (true) {
            const int middle = first + (root - first) / 2;
            if (rank == root) {
                if (middle < root) children[0] = root - 1;
                if (first < middle) children[1] = middle - 1;
                return;
            }
            parent = root;
            ++depth;
            if (rank >= middle) first = middle;
            root = rank < middle ? middle - 1 : root - 1;
        }
    }

    int depth = 0;
    std::optional<int> parent, other_root;
    /// The right child first: its ranks stand next to the parent.
    std::array<std::optional<int>, 2> children;
};

}  // namespace

/// Dual root: two trees reduce one half of the ranks each, their roots exchange the results, and both send
/// the result down, all at the same time. With every segment that goes up to a parent an earlier one comes
/// down, which uses both directions of a link.
///
/// Cost for X segments: about 3(X - 1) + 4 ceil(log2(p + 2)) - 7 messages of n/X bytes, of which
/// 3X + 2 ceil(log2(p + 2)) - 6 are combined.  Needs: nothing.
/// Source: Traeff, A doubly-pipelined, dual-root reduction-to-all algorithm, 2021.
void allreduce_dual_root(Link& link, const Args& args) {
    const int me = link.rank();
    const TwinTree tree(link.size(), me);
    const Segments segments(args.data, segment_elements(args.segment, link.element_size()));
    const int n = int(segments.size());
    Scratch scratch(link);
    const Slice buffer = scratch(segments.longest());
    // Sends segment `out` and receives segment `in`, if they exist; a partial result goes to the buffer.
    const auto exchange = [&](int peer, int out, int in, bool partial) {
        Link::Ticket sending = Link::Ticket::none, receiving = Link::Ticket::none;
        const bool sends = 0 <= out && out < n, receives = 0 <= in && in < n;
        const Slice into = receives ? segments[std::size_t(in)] : Slice{};
        if (receives) receiving = link.start_receive(peer, partial ? buffer.part(0, into.count) : into);
        if (sends) sending = link.start_send(peer, segments[std::size_t(out)]);
        link.wait(receiving);
        link.wait(sending);
        return into;
    };
    const auto combine = [&](Slice into, Side side) {
        if (!into.empty()) link.reduce(into, buffer.part(0, into.count), side);
    };
    const int last = n - 1 + tree.depth + (tree.children[0] ? 1 : 0);
    for (int j = 0; j <= last; ++j) {
        for (const auto& child : tree.children)
            if (child) combine(exchange(*child, j - tree.depth - 1, j, true), Side::before);
        if (tree.other_root) {
            const Side side = *tree.other_root < me ? Side::before : Side::after;
            combine(exchange(*tree.other_root, j, j, true), side);
        }
        if (tree.parent) exchange(*tree.parent, j, j - tree.depth, false);
    }
}

namespace {

/// Steps of a tree of `ranks` ranks: the children of its root, the messages until the root has a segment from
/// all ranks, and the messages until all ranks have one from the root.
struct TreeSteps {
    explicit TreeSteps(int ranks) {
        const int right = ranks / 2, left = (ranks - 1) / 2;
        children = (right > 0 ? 1 : 0) + (left > 0 ? 1 : 0);
        if (right == 0) return;
        const TreeSteps larger(right);
        up = larger.up + children;
        down = std::max(larger.down + 1, left > 0 ? TreeSteps(left).down + 2 : 0);
    }
    int children = 0, up = 0, down = 0;
};

}  // namespace

Cost allreduce_dual_root_cost(const Problem& problem) {
    if (problem.p == 1) return {};
    const TreeSteps tree((problem.p + 1) / 2);
    const Segments segments({0, problem.bytes}, problem.segment);
    const double length = double(segments.longest());
    const double more = double(segments.size() - 1) * (tree.children + 1);
    const double messages = tree.up + 1 + tree.down + more, combined = tree.up + 1 + more;
    return Cost{messages, messages * length, combined * length}.with_latencies(
        std::max(1, 2 * floor_log2((problem.p + 1) / 2)));
}

}  // namespace echelon
