// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace echelon {

/// Broadcast of n blocks over p ranks in n - 1 + ceil(log2 p) rounds, seen from one rank (Traeff, Optimal
/// broadcast schedules in logarithmic time, 2024). The root is rank 0.
///
/// Rank r sends to r + skip and receives from r - skip, modulo p. Skips repeat every ceil(log2 p) rounds,
/// with block numbers that many higher. Read backwards, with the messages reversed, it is a reduction.
class CirculantSchedule {
public:
    CirculantSchedule(int p, int rank, int blocks);

    int rounds() const;
    int to(int round) const;
    int from(int round) const;
    /// The block that the rank sends (receives) in a round, if any.
    std::optional<int> sent(int round) const;
    std::optional<int> received(int round) const;

private:
    int skip(int round) const;
    std::optional<int> block(const std::vector<int>& schedule, int round) const;

    int p_, rank_, blocks_;
    int phase_;        // rounds until the skips repeat
    int skipped_ = 0;  // empty rounds at the beginning of the first phase
    std::vector<int> skips_;
    std::vector<int> receives_, sends_;
};

/// Least number of messages of one block that follow one another from the root to the farthest rank.
int circulant_depth(int p);

}  // namespace echelon
