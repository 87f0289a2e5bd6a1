// SPDX-License-Identifier: Apache-2.0
#include "core/turned_link.hpp"
#include "flat/bcast.hpp"

#include "core/ranks.hpp"
#include "flat/send_window.hpp"
#include "flat/tree_cost.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// A rank in one of two heaps below rank 0: odd ranks with top 1, even ranks with top 2.
///
///   p = 8:       0
///            1       2
///          3   5   4   6
///         7
struct SplitHeap {
    explicit SplitHeap(int rank) : top(rank % 2 == 1 ? 1 : 2), index((rank - top) / 2) {}
    int parent() const { return index == 0 ? 0 : top + (index - 1) / 2 * 2; }
    int child(int i) const { return top + 2 * (2 * index + 1 + i); }

    int top;
    int index;
};

/// Receives a half of the vector, segment by segment, and passes it on to the children in the rank's heap.
void pass_on(Link& link, const Segments& half) {
    const SplitHeap heap(link.rank());
    SendWindow sends(link);
    Link::Ticket receiving = link.start_receive(heap.parent(), half[0]);
    for (std::size_t i = 0; i < half.size(); ++i) {
        link.wait(receiving);
        if (i + 1 < half.size()) receiving = link.start_receive(heap.parent(), half[i + 1]);
        for (const int child : {heap.child(0), heap.child(1)})
            if (child < link.size()) sends.start(child, half[i]);
    }
    sends.finish();
}

}  // namespace

/// Split binary tree: one half of the vector goes down the odd ranks, the other down the even ones; then
/// neighbours exchange halves. A last rank without a neighbour gets the other half from the root.
///
/// Cost for X segments of m_s bytes in a half, h = ceil(log2(p + 1)): about 2(h + X - 2)(alpha + m_s beta) +
/// alpha + n/2 beta. A binary tree costs more: it sends 2X segments to every rank.  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005 ("splitted-binary").
void bcast_split_binary(Link& link, const Args& args) {
    TurnedLink turned(link, args.root);
    const int p = turned.size(), me = turned.rank();
    const std::size_t length = segment_elements(args.segment, link.element_size());
    const Blocks halves(args.data, 2);
    if (me == 0) {
        const Segments odd(halves[0], length), even(halves[1], length);
        SendWindow sends(turned);
        for (std::size_t i = 0; i < odd.size(); ++i) {
            if (p > 1) sends.start(1, odd[i]);
            if (p > 2 && i < even.size()) sends.start(2, even[i]);
        }
        if (p > 1 && p % 2 == 0) sends.start(p - 1, halves[1]);
        return sends.finish();
    }
    const bool is_odd = me % 2 == 1;
    const Slice own = halves[is_odd ? 0 : 1], other = halves[is_odd ? 1 : 0];
    pass_on(turned, Segments(own, length));
    const int neighbour = is_odd ? me + 1 : me - 1;
    if (neighbour < p)
        turned.exchange(neighbour, own, neighbour, other);
    else
        turned.receive(0, other);
}

Cost bcast_split_binary_cost(const Problem& problem) {
    const int p = problem.p;
    if (p == 1) return {};
    const double half = double((problem.bytes + 1) / 2);
    const Segments segments({0, std::size_t(half)}, problem.segment);
    // The root sends to one top after the other; from there on the heaps are independent trees.
    const double odd = 1 + binary_rounds(p / 2).fill, even = p > 2 ? 2 + binary_rounds((p - 1) / 2).fill : 0;
    const double messages = std::max(odd, even) + double(segments.size() - 1) * (p > 2 ? 2 : 1);
    return (messages * Cost{1, double(segments.longest()), 0} + Cost{1, half, 0})
        .with_latencies(floor_log2(p));
}

}  // namespace echelon
