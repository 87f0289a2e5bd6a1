// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allreduce.hpp"
#include "flat/halving.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace echelon {
namespace {

/// Groups ranks: a power of two of them continue. First come triples, of which two ranks continue, then
/// pairs, of which one continues, then single ranks. The ranks that continue form pairs of virtual ranks 2i,
/// 2i + 1. A triple is a pair with one eliminated rank; two neighbouring pairs of ranks are a pair with two.
///
///   p = 7     ranks 0 1 (2)     3 (4) 5 (6)       one triple, two pairs; (eliminated)
///   virtual         0 1         2     3
class Elimination {
public:
    explicit Elimination(int p)
        : size_(1 << floor_log2(p)),
          triples_(std::min(p - size_, 2 * size_ - p)),
          pairs_(p - size_ - triples_) {}

    /// Number of virtual ranks.
    int size() const { return size_; }
    /// Empty for an eliminated rank.
    std::optional<int> virtual_rank(int rank) const {
        if (rank < 3 * triples_) return rank % 3 == 2 ? std::nullopt : std::optional(rank / 3 * 2 + rank % 3);
        const int behind = rank - 3 * triples_;
        if (behind >= 2 * pairs_) return rank - triples_ - pairs_;
        return behind % 2 == 1 ? std::nullopt : std::optional(2 * triples_ + behind / 2);
    }
    int rank(int virtual_rank) const {
        if (virtual_rank < 2 * triples_) return virtual_rank / 2 * 3 + virtual_rank % 2;
        const int behind = virtual_rank - 2 * triples_;
        return behind < pairs_ ? 3 * triples_ + 2 * behind : virtual_rank + triples_ + pairs_;
    }
    /// The eliminated rank that gives its vector to a virtual rank.
    std::optional<int> eliminated(int virtual_rank) const {
        const bool has =
            virtual_rank < 2 * triples_ ? virtual_rank % 2 == 1 : virtual_rank < 2 * triples_ + pairs_;
        return has ? std::optional(rank(virtual_rank) + 1) : std::nullopt;
    }
    /// The eliminated ranks of the pair of a virtual rank; its own come first.
    std::vector<int> eliminated_of_pair(int virtual_rank) const {
        std::vector<int> ranks;
        for (const int member : {virtual_rank, virtual_rank ^ 1})
            if (const auto found = eliminated(member)) ranks.push_back(*found);
        return ranks;
    }

private:
    int size_;
    int triples_;
    int pairs_;
};

/// The last step: partners exchange their vectors, and also send them to the eliminated ranks of their pair.
/// One partner sends in the opposite order, to keep two messages from meeting at a receiver.
void exchange_with_pair(Link& link, const Elimination& elimination, int own, Slice data) {
    const int peer = own ^ 1;
    std::vector<int> receivers = elimination.eliminated_of_pair(own);
    receivers.insert(receivers.begin(), elimination.rank(peer));
    if (peer < own) std::reverse(receivers.begin(), receivers.end());

    Scratch scratch(link);
    const Slice received = scratch(data.count);
    std::vector<Link::Ticket> tickets{link.start_receive(elimination.rank(peer), received)};
    for (const int rank : receivers) tickets.push_back(link.start_send(rank, data));
    for (const Link::Ticket ticket : tickets) link.wait(ticket);
    link.reduce(data, received, side_of(peer < own));
}

/// An eliminated rank receives both vectors of its pair, and combines them like the partners do.
void receive_from_pair(Link& link, const Elimination& elimination, int lower, Slice data) {
    Scratch scratch(link);
    const Slice upper = scratch(data.count);
    const Link::Ticket receiving = link.start_receive(elimination.rank(lower), data);
    link.receive(elimination.rank(lower + 1), upper);
    link.wait(receiving);
    link.reduce(data, upper, Side::after);
}

}  // namespace

/// 3-2 and 2-1 elimination for short vectors: the ranks beyond a power of two first send their vector to a
/// neighbour, like in recursive doubling. They need no extra step at the end: in the last step of the
/// doubling both partners of a pair send them their vectors, too.
///
///   p = 7     rank 0   rank 1   rank 2   rank 3   rank 4   rank 5   rank 6
///   before    0        12       -        34       -        56       -
///   step 1    034      1256              034               1256
///   step 0    all      all      all      all      all      all      all
///
/// Cost: ceil(log2 p) latencies if messages overlap; up to 2 more if they do not.
/// Needs: a commutative operation.
/// Source: Rabenseifner and Traeff, More efficient reduction algorithms for non-power-of-two number of
/// processors, 2004; Ruefenacht et al. 2017, section 6.4.
void allreduce_elimination_short(Link& link, const Args& args) {
    const int me = link.rank();
    const Elimination elimination(link.size());
    if (const auto own = elimination.virtual_rank(me)) {
        if (const auto from = elimination.eliminated(*own))
            link.receive_reduce(*from, args.data, Side::after);
        for (int distance = 2; distance < elimination.size(); distance *= 2) {
            const int peer = elimination.rank(*own ^ distance);
            link.exchange_reduce(peer, args.data, peer, args.data, side_of((*own ^ distance) < *own));
        }
        if (elimination.size() > 1) exchange_with_pair(link, elimination, *own, args.data);
    } else {
        link.send(me - 1, args.data);
        receive_from_pair(link, elimination, *elimination.virtual_rank(me - 1) & ~1, args.data);
    }
}

Cost allreduce_elimination_short_cost(const Problem& problem) {
    const Elimination elimination(problem.p);
    const double n = double(problem.bytes), steps = floor_log2(problem.p);
    // Pairs with two eliminated ranks stand at the end, like pairs with none; no p has both kinds.
    double most = 0;
    for (const int own : {0, elimination.size() - 1})
        most = std::max(most, double(elimination.eliminated_of_pair(own).size()));
    return steps * Cost{1, n, n} + (most > 0 ? Cost{1 + most, (1 + most) * n, n}.with_latencies(1) : Cost{});
}

}  // namespace echelon
