// SPDX-License-Identifier: Apache-2.0
#include "estimators/terrain.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <utility>

namespace echelon {

Terrain::Terrain(const Placement& placement)
    : Terrain(std::make_shared<const Placement>(placement), [&] {
          Sets all;
          all.ranks.resize(std::size_t(placement.size()));
          std::iota(all.ranks.begin(), all.ranks.end(), 0);
          all.close();
          return all;
      }()) {}

Terrain::Terrain(std::shared_ptr<const Placement> placement, Sets sets)
    : placement_(std::move(placement)), sets_(std::move(sets)) {
    std::vector<int> last_set(std::size_t(placement_->node_count()), -1), sets_of(last_set.size());
    for (std::size_t s = 0; s < sets_.size(); ++s) {
        const auto ranks = sets_[s];
        int crossings = 0, touched = 0, before = node(ranks[0]);
        for (const int rank : ranks) {
            const auto own = std::size_t(node(rank));
            if (std::exchange(last_set[own], int(s)) != int(s)) ++sets_of[own], ++touched;
            crossings += int(own) != before ? 1 : 0;
            before = int(own);
        }
        crossings_ = std::max(crossings_, crossings);
        if (int(ranks.size()) > p_ || (int(ranks.size()) == p_ && touched > nodes_touched_)) {
            p_ = int(ranks.size());
            nodes_touched_ = touched;
            one_ = s;
        }
    }
    nodes_ = int(std::count_if(sets_of.begin(), sets_of.end(), [](int n) { return n > 0; }));
    sharing_ = *std::max_element(sets_of.begin(), sets_of.end());
}

std::vector<int> Terrain::nodes_of_one() const {
    std::vector<int> nodes;
    for (const int rank : sets_[one_]) nodes.push_back(node(rank));
    return nodes;
}

const Terrain::Division* Terrain::divide(const Groups& groups) const {
    const auto known = std::find_if(divisions_.begin(), divisions_.end(),
                                    [&](const Known& one) { return one.groups == groups; });
    if (known != divisions_.end()) return known->division.get();
    divisions_.push_back({groups, nullptr});

    Sets inside, across, leaders;
    for (Sets* const all : {&inside, &across}) all->ranks.reserve(sets_.ranks.size());
    int group_count = 0, smallest = p_, largest = 0;
    bool contiguous = true;
    try {
        std::optional<Partition> made;
        for (std::size_t s = 0; s < sets_.size(); ++s) {
            const auto set = sets_[s];
            // Sets of one size are divided alike, unless it matters where their ranks are.
            if (groups.needs_placement())
                made = resolve(groups, int(set.size()), placement_->of(set));
            else if (!made || made->size() != int(set.size()))
                made = resolve(groups, int(set.size()), Placement());
            const Partition& partition = *made;
            const auto rank = [&](int group, int position) {
                return set[std::size_t(partition.at(group, position))];
            };
            for (int group = 0; group < partition.group_count(); ++group) {
                for (int position = 0; position < partition.group_size(group); ++position)
                    inside.ranks.push_back(rank(group, position));
                inside.close();
                leaders.ranks.push_back(rank(group, 0));
            }
            leaders.close();
            for (int position = 0; position < partition.smallest(); ++position) {
                for (int group = 0; group < partition.group_count(); ++group)
                    across.ranks.push_back(rank(group, position));
                across.close();
            }
            group_count = std::max(group_count, partition.group_count());
            smallest = std::min(smallest, partition.smallest());
            largest = std::max(largest, partition.largest());
            contiguous = contiguous && partition.contiguous();
        }
    } catch (const Error&) {
        return nullptr;
    }
    divisions_.back().division = std::make_unique<Division>(
        Division{Terrain(placement_, std::move(inside)), Terrain(placement_, std::move(across)),
                 Terrain(placement_, std::move(leaders)), group_count, smallest, largest, contiguous});
    return divisions_.back().division.get();
}

std::string layout_of(const Placement& placement) {
    const int p = placement.size(), nodes = placement.node_count();
    const std::string even = std::to_string(nodes) + 'x' + std::to_string(nodes == 0 ? 0 : p / nodes);
    std::vector<int> ranks_of(static_cast<std::size_t>(nodes));
    for (const int node : placement.nodes()) ++ranks_of[std::size_t(node)];
    if (std::adjacent_find(ranks_of.begin(), ranks_of.end(), std::not_equal_to<>()) != ranks_of.end())
        return std::to_string(p) + " on " + std::to_string(nodes);
    bool block = true, cyclic = true;
    for (int rank = 0; rank < p; ++rank) {
        block = block && placement.node(rank) == rank / (p / nodes);
        cyclic = cyclic && placement.node(rank) == rank % nodes;
    }
    return block ? even : cyclic ? even + " cyclic" : even + " mixed";
}

Placement placement_of_layout(const std::string& layout) {
    const auto wrong = [&] {
        return Error(
            "layout '" + layout +
            "': expected nodes x ranks such as 16x4, 16x4 cyclic, or ranks on nodes such as 62 on 16");
    };
    constexpr int most = 1 << 20;
    int first = 0, second = 0, end = 0;
    const bool even = std::sscanf(layout.c_str(), "%7dx%7d%n", &first, &second, &end) == 2 && end > 0;
    const std::string rest = even ? layout.substr(std::size_t(end)) : "";
    const bool uneven = !even && std::sscanf(layout.c_str(), "%7d on %7d%n", &first, &second, &end) == 2 &&
                        std::size_t(end) == layout.size();
    if (!even && !uneven) throw wrong();
    if (first < 1 || second < 1) throw wrong();
    const int nodes = even ? first : second, p = even ? first * second : first;
    if ((even && first > most / second) || p > most || nodes > p) throw wrong();
    const bool cyclic = rest == " cyclic";
    if (even && !cyclic && !rest.empty() && rest != " mixed") throw wrong();
    std::vector<Seat> seats(static_cast<std::size_t>(p));
    for (int rank = 0; rank < p; ++rank)
        seats[std::size_t(rank)].node =
            std::uint64_t(cyclic ? rank % nodes : static_cast<long long>(rank) * nodes / p);
    return Placement::from(seats);
}

int nodes_of_layout(const std::string& layout) {
    try {
        return placement_of_layout(layout).node_count();
    } catch (const Error&) {
        return 0;
    }
}

}  // namespace echelon
