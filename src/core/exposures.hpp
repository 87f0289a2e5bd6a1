// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <optional>
#include <vector>

namespace echelon {

/// Race detector of a replay, for elements that other ranks access in place. Accesses of two ranks are
/// ordered only if one rank knows that the other's step has ended. A rank learns this from the messages that
/// it receives, from the slots that other ranks put, and from their leaves. This knowledge also proves a
/// barrier: each rank must have heard of all ranks.
class Exposures {
public:
    /// A vector clock: the number of steps of each rank that have begun. All of them but the last have ended.
    using Known = std::vector<std::size_t>;

    /// Records nothing unless `asked`: a rank exposes elements, or the collective is a barrier.
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

    /// Returns the number of the exposure, for operator[].
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

    /// `rank` accesses elements that `owner` has exposed. Returns another rank whose access may be under way,
    /// unless both only read.
    std::optional<int> work(int rank, int owner, const Slice& part, bool writes);

private:
    /// An access to exposed elements, by their owner or by another rank.
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
