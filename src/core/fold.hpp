// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks.hpp"

namespace echelon {

/// Folds p ranks onto the largest power of two p' <= p, in rank order (Rabenseifner 2004): the first p - p'
/// pairs (2i, 2i + 1) continue as their even rank, or as `kept`; all other ranks continue alone.
///
///   p = 6, p' = 4     rank          0      1      2      3      4       5
///                     role          proxy extra  proxy extra  single  single
///                     virtual rank  0      -      1      -      2       3
class Fold {
public:
    enum class Role { proxy, extra, single };

    /// `kept` continues in any case.
    explicit Fold(int p, int kept = 0) : Fold(p, 1 << floor_log2(p), kept) {}
    /// Folds p ranks onto an even number: ranks 0 and 1 are a pair if p > 1 is odd.
    static Fold to_even(int p) { return {p, p == 1 ? 1 : p - p % 2, 0}; }

    /// The number of ranks that continue, p'.
    int size() const { return size_; }
    /// The number of extra ranks, p - p'.
    int pairs() const { return pairs_; }

    Role role(int rank) const {
        if (rank >= 2 * pairs_) return Role::single;
        const bool continues = rank / 2 == kept_ / 2 ? rank == kept_ : rank % 2 == 0;
        return continues ? Role::proxy : Role::extra;
    }
    /// The other rank of a proxy's or an extra's pair.
    int partner(int rank) const { return rank ^ 1; }

    /// Requires: the rank continues (it is not an extra).
    int virtual_rank(int rank) const { return rank < 2 * pairs_ ? rank / 2 : rank - pairs_; }
    int rank(int virtual_rank) const {
        if (virtual_rank >= pairs_) return virtual_rank + pairs_;
        return virtual_rank == kept_ / 2 ? kept_ : 2 * virtual_rank;
    }

private:
    Fold(int p, int size, int kept) : size_(size), pairs_(p - size), kept_(kept) {}

    int size_;
    int pairs_;
    int kept_;
};

}  // namespace echelon
