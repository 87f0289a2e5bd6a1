// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/contention.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace echelon {

Contention::Contention(const Placement& placement)
    : Contention(std::make_shared<const Placement>(placement), [&] {
          Sets all;
          all.ranks.resize(std::size_t(placement.size()));
          std::iota(all.ranks.begin(), all.ranks.end(), 0);
          all.close();
          return all;
      }()) {}

Contention::Contention(std::shared_ptr<const Placement> placement, Sets sets)
    : placement_(std::move(placement)), sets_(std::move(sets)) {
    std::vector<int> last_set(std::size_t(placement_->node_count()), -1), sets_of(last_set.size());
    std::vector<int> last_set_of_site(std::size_t(placement_->site_count()), -1);
    for (std::size_t s = 0; s < sets_.size(); ++s) {
        const auto ranks = sets_[s];
        int crossings = 0, touched = 0, sites = 0, before = node(ranks[0]);
        for (const int rank : ranks) {
            const auto own = std::size_t(node(rank));
            if (std::exchange(last_set[own], int(s)) != int(s)) ++sets_of[own], ++touched;
            int& site = last_set_of_site[std::size_t(placement_->site(rank))];
            if (std::exchange(site, int(s)) != int(s)) ++sites;
            crossings += int(own) != before ? 1 : 0;
            before = int(own);
        }
        crossings_ = std::max(crossings_, crossings);
        const auto key = std::tuple(sites, int(ranks.size()), touched);
        if (key > std::tie(sites_, p_, nodes_touched_)) {
            std::tie(sites_, p_, nodes_touched_) = key;
            one_ = s;
        }
    }
    nodes_ = int(std::count_if(sets_of.begin(), sets_of.end(), [](int n) { return n > 0; }));
    sharing_ = *std::max_element(sets_of.begin(), sets_of.end());
}

std::vector<int> Contention::nodes_of_one() const {
    std::vector<int> nodes;
    for (const int rank : sets_[one_]) nodes.push_back(node(rank));
    return nodes;
}

const Contention::Division* Contention::divide(const Groups& groups) const {
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
        Division{Contention(placement_, std::move(inside)), Contention(placement_, std::move(across)),
                 Contention(placement_, std::move(leaders)), group_count, smallest, largest, contiguous});
    return divisions_.back().division.get();
}

Machine seated(Machine machine, const Placement& placement) {
    machine.nodes.assign(placement.nodes().begin(), placement.nodes().end());
    if (placement.site_count() > 1) {
        for (Beyond& level : machine.beyond) {
            level.of_node.assign(std::size_t(placement.node_count()), 0);
            for (int rank = 0; rank < placement.size(); ++rank)
                level.of_node[std::size_t(placement.node(rank))] = placement.site(rank);
        }
    } else {
        std::erase_if(machine.beyond, [](const Beyond& level) { return level.of_node.empty(); });
    }
    return machine;
}

namespace {

std::string layout_of_nodes(const Placement& placement) {
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

}  // namespace

std::string layout_of(const Placement& placement) {
    const int sites = placement.site_count();
    return layout_of_nodes(placement) + (sites > 1 ? " on " + std::to_string(sites) + " sites" : "");
}

Placement placement_of_layout(const std::string& whole) {
    const auto wrong = [&] {
        return Error(
            "layout '" + whole +
            "': expected nodes x ranks such as 16x4, 16x4 cyclic, or ranks on nodes such as 62 on 16, "
            "and several sites as in 16x4 on 2 sites");
    };
    int sites = 1;
    std::string layout = whole;
    if (whole.ends_with(" sites")) {
        const auto at = whole.rfind(" on ");
        int end = 0;
        if (at == std::string::npos ||
            std::sscanf(whole.c_str() + at, " on %7d sites%n", &sites, &end) != 1 ||
            at + std::size_t(end) != whole.size() || sites < 2)
            throw wrong();
        layout.resize(at);
    }
    constexpr int most = 1 << 20;
    int first = 0, second = 0, end = 0;
    const bool even = std::sscanf(layout.c_str(), "%7dx%7d%n", &first, &second, &end) == 2 && end > 0;
    const std::string rest = even ? layout.substr(std::size_t(end)) : "";
    const bool uneven = !even && std::sscanf(layout.c_str(), "%7d on %7d%n", &first, &second, &end) == 2 &&
                        std::size_t(end) == layout.size();
    if (!even && !uneven) throw wrong();
    if (first < 1 || second < 1) throw wrong();
    const int nodes = even ? first : second, p = even ? first * second : first;
    if ((even && first > most / second) || p > most || nodes > p || sites > nodes) throw wrong();
    const bool cyclic = rest == " cyclic";
    if (even && !cyclic && !rest.empty() && rest != " mixed") throw wrong();
    std::vector<Location> locations(static_cast<std::size_t>(p));
    for (int rank = 0; rank < p; ++rank) {
        const long long node = cyclic ? rank % nodes : static_cast<long long>(rank) * nodes / p;
        locations[std::size_t(rank)] = {.node = std::uint64_t(node),
                                        .site = std::uint64_t(1 + node * sites / nodes)};
    }
    return Placement::from(locations);
}

Extent extent_of_layout(const std::string& layout) {
    try {
        const Placement placement = placement_of_layout(layout);
        return {placement.node_count(), placement.site_count()};
    } catch (const Error&) {
        return {0, 1};
    }
}

}  // namespace echelon
