// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace echelon {

/// The symbolic values of the checker: the contributing ranks, their order and their brackets. Equal
/// expressions have equal ids.
class Expressions {
public:
    using Id = std::uint32_t;
    /// A value that is not defined.
    static constexpr Id undefined = 0;

    explicit Expressions(int p);

    /// The contribution of rank `rank`.
    Id leaf(int rank) const { return Id(rank) + 1; }
    Id combine(Id left, Id right);

    /// True if the value combines each of the ranks [0, last) exactly once.
    bool complete(Id id, int last) const;
    /// True if the value combines ranks first .. last - 1 from left to right.
    bool in_rank_order(Id id, int first, int last) const;
    /// Equal for values with the same brackets around the same operands, up to exchanging the two operands of
    /// a combination. A commutative operation gives them the same bits.
    Id association(Id id) const { return nodes_[id].association; }

    std::string text(Id id) const;

private:
    struct Node {
        Id left, right, association;
        int first, last;  // the range of ranks if they stand in order, else first == -1
        int count;
        std::uint64_t fingerprint;  // sum of random numbers, one for each contribution
    };

    std::vector<Node> nodes_;
    std::vector<std::uint64_t> prefix_;  // fingerprint of ranks [0, i)
    std::unordered_map<std::uint64_t, Id> known_;
};

}  // namespace echelon
