// SPDX-License-Identifier: Apache-2.0
#include "groups/partition.hpp"

#include <algorithm>
#include <numeric>
#include <ostream>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"

namespace echelon {

Partition Partition::from_colors(std::span<const int> colors) {
    if (colors.empty()) throw Error("a partition needs at least one rank, and none was given");
    std::unordered_map<int, int> group_of_color;
    std::vector<int> group_of;
    group_of.reserve(colors.size());
    for (std::size_t rank = 0; rank < colors.size(); ++rank) {
        const int next = static_cast<int>(group_of_color.size());
        const bool like_before = rank > 0 && colors[rank] == colors[rank - 1];
        group_of.push_back(like_before ? group_of.back()
                                       : group_of_color.try_emplace(colors[rank], next).first->second);
    }
    return Partition(std::move(group_of), static_cast<int>(group_of_color.size()));
}

Partition Partition::from_lists(const std::vector<std::vector<int>>& groups) {
    std::size_t p = 0;
    for (const auto& group : groups) {
        if (group.empty()) throw Error("a partition was given an empty group; every group needs a rank");
        p += group.size();
    }
    constexpr int none = -1;
    std::vector<int> colors(p, none);
    int color = 0;
    for (const auto& group : groups) {
        for (const int rank : group) {
            if (rank < 0 || index(rank) >= p)
                throw Error("a partition of " + std::to_string(p) + " ranks was given rank " +
                            std::to_string(rank) + "; name each rank from 0 to " + std::to_string(p - 1) +
                            " once");
            if (colors[index(rank)] != none)
                throw Error("a partition was given rank " + std::to_string(rank) +
                            " twice; name each rank from 0 to " + std::to_string(p - 1) + " once");
            colors[index(rank)] = color;
        }
        ++color;
    }
    return from_colors(colors);  // p ranks, all different and below p: none is missing
}

Partition::Partition(std::vector<int> groups, int group_count)
    : group_of_(std::move(groups)),
      position_of_(group_of_.size()),
      members_(group_of_.size()),
      starts_(index(group_count) + 1, 0) {
    std::vector<int> sizes(index(group_count), 0);
    for (int rank = 0; rank < size(); ++rank) position_of_[index(rank)] = sizes[index(group_of(rank))]++;
    std::partial_sum(sizes.begin(), sizes.end(), starts_.begin() + 1);
    for (int rank = 0; rank < size(); ++rank)
        members_[index(starts_[index(group_of(rank))] + position_of(rank))] = rank;

    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    smallest_ = *least;
    largest_ = *most;
    // Groups are in the order of their lowest rank: the members ascend exactly if every group is a run.
    contiguous_ = std::is_sorted(members_.begin(), members_.end());
}

std::vector<int> Partition::positions(int position) const {
    std::vector<int> ranks;
    for (int group = 0; group < group_count(); ++group)
        if (position < group_size(group)) ranks.push_back(at(group, position));
    return ranks;
}

int Partition::place_across(int rank) const noexcept {
    const int position = position_of(rank);
    if (position < smallest_) return group_of(rank);
    int place = 0;
    for (int group = 0; group < group_of(rank); ++group)
        if (position < group_size(group)) ++place;
    return place;
}

std::size_t Partition::hash() const noexcept {
    std::size_t mixed = group_of_.size();
    for (const int group : group_of_) mixed = mixed * 1099511628211u + index(group);
    return mixed;
}

std::string to_string(const Partition& partition) {
    std::string text;
    for (int group = 0; group < partition.group_count(); ++group) {
        if (group > 0) text += ';';
        const auto ranks = partition.members(group);
        for (std::size_t first = 0; first < ranks.size();) {
            std::size_t last = first;
            while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
            if (first > 0) text += '+';
            text += std::to_string(ranks[first]);
            if (last > first) text += '-' + std::to_string(ranks[last]);
            first = last + 1;
        }
    }
    return text;
}

std::ostream& operator<<(std::ostream& out, const Partition& partition) {
    return out << to_string(partition);
}

}  // namespace echelon
