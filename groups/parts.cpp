// SPDX-License-Identifier: Apache-2.0
#include "groups/parts.hpp"

#include "groups/layout.hpp"
#include "groups/ways.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace echelon {
namespace {

Ranks all_of(const Placement& placement) {
    Ranks all(std::size_t(placement.size()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Collects one entry for each size and layout.
class Kinds {
public:
    Kinds(const Placement& placement, std::size_t most) : placement_(placement), most_(most) {}

    void add(Siblings all) {
        std::erase_if(all, [](const Ranks& ranks) { return ranks.size() < 2; });
        for (const Ranks& ranks : all) {
            if (parts_.size() == most_) return;
            if (!seen_.emplace(ranks.size(), layout_of(placement_.of(ranks))).second) continue;
            parts_.push_back({ranks});
            std::ranges::remove_copy(all, std::back_inserter(parts_.back()), ranks);
        }
    }
    void add_groups(const Partition& partition) {
        Siblings groups;
        for (int group = 0; group < partition.group_count(); ++group)
            groups.emplace_back(partition.members(group).begin(), partition.members(group).end());
        add(std::move(groups));
    }
    void add_positions(const Partition& partition) {
        Siblings positions;
        for (int position = 0; position < partition.largest(); ++position)
            positions.push_back(partition.positions(position));
        add(std::move(positions));
    }
    /// Rows of `columns` ranks, and columns. Requires: `columns` divides the number of ranks.
    void add_grid(int columns) {
        add_groups(by_size(placement_.size(), columns));
        add_positions(by_size(placement_.size(), columns));
    }
    std::vector<Siblings> parts() && { return std::move(parts_); }

private:
    const Placement& placement_;
    std::size_t most_;
    std::set<std::pair<std::size_t, std::string>> seen_;
    std::vector<Siblings> parts_;
};

}  // namespace

std::vector<Ranks> measured_parts(const Placement& placement) {
    const int p = placement.size();
    std::vector<Ranks> parts;
    const auto add = [&](auto&& takes_part) {
        Ranks ranks;
        for (int rank = 0; rank < p; ++rank)
            if (takes_part(rank)) ranks.push_back(rank);
        if (ranks.size() > 1 && int(ranks.size()) < p && std::ranges::find(parts, ranks) == parts.end())
            parts.push_back(std::move(ranks));
    };
    const Ranks all = all_of(placement);
    Ranks firsts;
    std::vector<char> seen(std::size_t(placement.node_count()));
    std::ranges::copy_if(all, std::back_inserter(firsts), [&](int rank) {
        return !std::exchange(seen[std::size_t(placement.node(rank))], char(true));
    });
    add([&](int rank) { return std::ranges::binary_search(firsts, rank); });
    add([&](int rank) { return placement.node(rank) == placement.node(0); });
    add([&](int rank) { return rank < p / 2; });
    constexpr std::size_t wanted = 3;
    if (parts.size() < wanted) add([&](int rank) { return rank < p / 4; });
    const Ranks& apart = firsts.size() >= 4 ? firsts : all;
    if (p >= 8)
        add([&, last = apart.size() - 1](int rank) {
            return rank == apart[0] || rank == apart[last / 3] || rank == apart[2 * last / 3] ||
                   rank == apart[last];
        });
    return parts;
}

std::vector<Siblings> usual_parts(const Placement& placement, std::size_t most) {
    const int p = placement.size();
    Kinds kinds(placement, most);
    kinds.add({all_of(placement)});
    std::vector<int> divisors;  // nearest to the square root first
    for (int columns = 2; columns < p; ++columns)
        if (p % columns == 0) divisors.push_back(columns);
    std::ranges::stable_sort(divisors, {}, [&](int columns) { return std::max(columns, p / columns); });
    if (!divisors.empty()) kinds.add_grid(divisors.front());
    kinds.add_groups(by_node(placement));
    kinds.add_positions(by_node(placement));
    for (const int parts : {2, 4})
        if (parts <= p) {
            kinds.add_groups(by_size(p, p / parts));
            kinds.add_groups(by_count(p, parts));
        }
    for (const int distance : {2, 4}) kinds.add_positions(by_size(p, distance));
    for (const int columns : divisors) kinds.add_grid(columns);
    return std::move(kinds).parts();
}

}  // namespace echelon
