// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/fold.hpp"
#include "core/link.hpp"
#include "flat/butterfly.hpp"

namespace echelon {

// Phases of halving and doubling algorithms. If a phase takes a Fold, ranks of the butterfly are virtual
// ranks of the fold; extra ranks do not call halve() and double_up().

constexpr Side side_of(bool peer_is_before) { return peer_is_before ? Side::before : Side::after; }

/// The pairs of the fold combine the whole vector, each rank one half, and the proxy gets both halves
/// (Rabenseifner 2004): 2 alpha + n beta + n/2 gamma instead of alpha + n beta + n gamma. In rank order.
void fold_halves(Link& link, const Fold& fold, Slice whole);

/// The pairs of the fold combine the whole vector at the proxy: alpha + n (beta + gamma). In rank order.
void fold_whole(Link& link, const Fold& fold, Slice whole);

/// Proxies send the whole vector to their extra rank: alpha + n beta.
void unfold(Link& link, const Fold& fold, Slice whole);

/// Recursive halving. Afterwards a rank has the result of its part. `parts.range(first, last)` is the slice
/// of parts first .. last-1.
template <class Parts>
void halve(Link& link, const Fold& fold, const Butterfly& butterfly, const Parts& parts) {
    for (int step = 0; step < butterfly.steps(); ++step) {
        const int peer = fold.rank(butterfly.peer(step));
        const PartRange kept = butterfly.kept(step), given = butterfly.given(step);
        link.exchange_reduce(peer, parts.range(given.first, given.end()), peer,
                             parts.range(kept.first, kept.end()), side_of(butterfly.peer_is_before(step)));
    }
}

/// Recursive doubling, the reverse of halve(): a rank that has its part gets the whole vector.
template <class Parts>
void double_up(Link& link, const Fold& fold, const Butterfly& butterfly, const Parts& parts) {
    for (int step = butterfly.steps() - 1; step >= 0; --step) {
        const int peer = fold.rank(butterfly.peer(step));
        const PartRange own = butterfly.kept(step), missing = butterfly.given(step);
        link.exchange(peer, parts.range(own.first, own.end()), peer,
                      parts.range(missing.first, missing.end()));
    }
}

/// Binomial gather, the reverse of halve(): virtual rank `root` gets the parts of all ranks.
template <class Parts>
void gather_up(Link& link, const Fold& fold, const Butterfly& butterfly, const Parts& parts, int root) {
    const int apart = fold.virtual_rank(link.rank()) ^ root;
    for (int step = butterfly.steps() - 1; step >= 0; --step) {
        const int peer = fold.rank(butterfly.peer(step));
        const PartRange own = butterfly.kept(step), missing = butterfly.given(step);
        if ((apart & butterfly.distance(step)) != 0) {
            link.send(peer, parts.range(own.first, own.end()));
            return;
        }
        link.receive(peer, parts.range(missing.first, missing.end()));
    }
}

/// The blocks of p ranks as seen by the virtual ranks of a fold. A virtual rank owns the blocks of all ranks
/// that were folded into it, which are neighbours. Requires: the even rank of each pair is kept.
class FoldedBlocks {
public:
    FoldedBlocks(const Blocks& blocks, const Fold& fold) : blocks_(blocks), fold_(fold) {}
    Slice range(int first, int last) const { return blocks_.range(fold_.rank(first), fold_.rank(last)); }

private:
    Blocks blocks_;
    Fold fold_;
};

}  // namespace echelon
