// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks.hpp"

namespace echelon {

/// Consecutive parts of a vector: first .. first + count - 1.
struct PartRange {
    int first = 0;
    int count = 0;
    int end() const { return first + count; }
    friend bool operator==(const PartRange&, const PartRange&) = default;
};

/// Peers of a rank, and the parts that it keeps, when a power of two of ranks halves a vector of as many
/// parts. Read backwards it is the doubling.
///
///   4 ranks, near first       rank 0   rank 1   rank 2   rank 3
///   step 0 (distance 1)       parts01  parts23  parts01  parts23     (kept; the rest goes to the peer)
///   step 1 (distance 2)       part 0   part 2   part 1   part 3
///
/// Near first joins neighbours first: operands stay in rank order, and the long messages go to near ranks.
/// Rank r ends with the part whose number is r with its bits reversed. Far first ends with part r at rank r.
class Butterfly {
public:
    enum class Order { near_first, far_first };

    /// Requires: `size` is a power of two.
    Butterfly(int size, int rank, Order order) : size_(size), rank_(rank), order_(order) {}

    int steps() const { return floor_log2(size_); }
    int distance(int step) const { return order_ == Order::near_first ? 1 << step : size_ >> (step + 1); }
    int peer(int step) const { return rank_ ^ distance(step); }
    /// True if the peer's operands stand before the rank's own.
    bool peer_is_before(int step) const { return peer(step) < rank_; }

    PartRange kept(int step) const { return half(rank_, step); }
    PartRange given(int step) const { return half(peer(step), step); }
    /// The part that a rank ends with.
    int part() const { return position(rank_); }

private:
    PartRange half(int rank, int step) const {
        const int width = size_ >> (step + 1);
        return {position(rank) & -width, width};
    }
    int position(int rank) const {
        if (order_ == Order::far_first) return rank;
        int reversed = 0;
        for (int bit = 1; bit < size_; bit *= 2) reversed = 2 * reversed + ((rank & bit) != 0 ? 1 : 0);
        return reversed;
    }

    int size_;
    int rank_;
    Order order_;
};

}  // namespace echelon
