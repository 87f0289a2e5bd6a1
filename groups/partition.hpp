// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace echelon {

/// p ranks split into groups: every rank is in exactly one, no group is empty. Immutable.
///
/// Groups are numbered by their lowest rank and list their ranks in ascending order. Two partitions with the
/// same groups are therefore equal:
///
///  colours   7 7 3 7 3        groups   0+1+3 ; 2+4        printed   0-1+3;2+4
///
/// Every query costs O(1) unless noted. Requires: ranks, groups and positions that exist. Memory: 12 bytes
/// per rank and 4 per group.
class Partition {
public:
    /// Ranks of equal colour form a group. Any integers serve as colours.
    /// Error: no colours at all.
    static Partition from_colors(std::span<const int> colors);

    /// Each list is a group; the lists together name every rank from 0 to p - 1 exactly once.
    /// Error: no lists, an empty list, a negative rank, a rank named twice, a rank missing.
    static Partition from_lists(const std::vector<std::vector<int>>& groups);

    int size() const noexcept { return static_cast<int>(group_of_.size()); }  ///< Number of ranks, p.
    int group_count() const noexcept { return static_cast<int>(starts_.size()) - 1; }

    int group_of(int rank) const noexcept { return group_of_[index(rank)]; }
    int position_of(int rank) const noexcept { return position_of_[index(rank)]; }  ///< In its group.

    /// The ranks of a group, ascending. Valid as long as this partition lives.
    std::span<const int> members(int group) const noexcept {
        return std::span(members_).subspan(index(starts_[index(group)]), index(group_size(group)));
    }
    int group_size(int group) const noexcept { return starts_[index(group) + 1] - starts_[index(group)]; }
    int at(int group, int position) const noexcept {
        return members_[index(starts_[index(group)] + position)];
    }

    int smallest() const noexcept { return smallest_; }  ///< Ranks in the smallest group.
    int largest() const noexcept { return largest_; }    ///< Ranks in the largest group.

    /// The rank at this position in every group that is large enough, in the order of the groups, like a
    /// split by position with the group as its key. O(G).
    std::vector<int> positions(int position) const;

    /// Index of `rank` in `positions(position_of(rank))`. O(1) at positions that every group has, else O(G).
    int place_across(int rank) const noexcept;

    bool uniform() const noexcept { return smallest_ == largest_; }  ///< True: equally large groups.

    /// True if every group is a run of consecutive ranks. Combining inside the groups and then between them,
    /// in order, then keeps rank order.
    bool contiguous() const noexcept { return contiguous_; }

    /// True if there is one group, or one rank in each: there is only one level.
    bool flat() const noexcept { return group_count() == 1 || largest_ == 1; }

    friend bool operator==(const Partition&, const Partition&) = default;
    std::size_t hash() const noexcept;  ///< Equal for equal partitions. O(p).

private:
    explicit Partition(std::vector<int> groups, int group_count);

    static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

    std::vector<int> group_of_;     // by rank
    std::vector<int> position_of_;  // by rank
    std::vector<int> members_;      // the groups' ranks, one group after another
    std::vector<int> starts_;       // where each group begins in members_, and where the last ends
    int smallest_ = 0;
    int largest_ = 0;
    bool contiguous_ = false;
};

/// `0-3;4-7`, with `+` between the runs of a group: `0-1+4;2-3`. `Groups::parse` reads it behind `ranks=`.
std::string to_string(const Partition& partition);

std::ostream& operator<<(std::ostream& out, const Partition& partition);

}  // namespace echelon
