// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <optional>
#include <vector>

namespace echelon {

/// Elements on which others may work where they lie, in a replay, and whether two may work on one at once: steps
/// of different ranks have an order only where one rank knows that the other's is over. It knows that from what it
/// waited for: a message, what others put, or that they left. In a barrier each has to hear of all in this way.
class Exposures {
public:
    /// By rank: so many of its steps have surely begun, of which all but the last are over.
    using Known = std::vector<std::size_t>;

    /// Keeps nothing unless what ranks know is `asked` for: somebody exposes, or it is a barrier.
    Exposures(std::size_t ranks, bool asked) : knows_(asked ? ranks : 0), accesses_(knows_.size()) {
        for (std::size_t rank = 0; rank < knows_.size(); ++rank) {
            knows_[rank].resize(ranks);
            knows_[rank][rank] = 1;
        }
    }

    bool asked() const { return !knows_.empty(); }

    Known known_to(int rank) const { return asked() ? knows_[std::size_t(rank)] : Known(); }
    void learn(int rank, const Known& more);
    void ends_step(int rank) {
        if (asked()) ++knows_[std::size_t(rank)][std::size_t(rank)];
    }

    /// The number under which it can be found.
    std::size_t add(int owner, Slice what) {
        exposed_.push_back({owner, what});
        return exposed_.size() - 1;
    }
    struct Exposed {
        int owner;
        Slice what;
    };
    const Exposed& operator[](std::size_t number) const { return exposed_[number]; }
    const std::vector<Exposed>& all() const { return exposed_; }
    bool overlap(int owner, const Slice& what) const;

    /// `rank` works on what `owner` has exposed, now; returns another rank that may be at it still, unless both
    /// read.
    std::optional<int> work(int rank, int owner, const Slice& part, bool writes);

private:
    /// Somebody worked on some of them, the owner or another.
    struct Access {
        int rank;
        std::size_t step;
        Slice part;
        bool writes;
    };
    std::vector<Known> knows_;
    std::vector<Exposed> exposed_;
    std::vector<std::vector<Access>> accesses_;  // by owner
};

}  // namespace echelon
