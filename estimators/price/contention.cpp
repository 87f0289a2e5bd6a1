// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/contention.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <limits>
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

Contention::Contention(std::shared_ptr<const Placement> placement, Sets sets, int owners)
    : placement_(std::move(placement)), sets_(std::move(sets)) {
    std::vector<int> last_set(std::size_t(placement_->node_count()), -1), sets_of(last_set.size());
    const std::array numbers{placement_->switches(), placement_->sites()};
    std::array last_set_of{std::vector<int>(std::size_t(placement_->switch_count()), -1),
                           std::vector<int>(std::size_t(placement_->site_count()), -1)};
    for (std::size_t s = 0; s < sets_.size(); ++s) {
        const auto ranks = sets_[s];
        int crossings = 0, touched = 0, before = node(ranks[0]);
        std::array<int, all_levels.size()> parts{};
        for (const int rank : ranks) {
            const auto own = std::size_t(node(rank));
            if (std::exchange(last_set[own], int(s)) != int(s)) ++sets_of[own], ++touched;
            for (std::size_t level = 0; level < parts.size(); ++level) {
                int& last = last_set_of[level][std::size_t(numbers[level][std::size_t(rank)])];
                if (std::exchange(last, int(s)) != int(s)) ++parts[level];
            }
            crossings += int(own) != before ? 1 : 0;
            before = int(own);
        }
        crossings_ = std::max(crossings_, crossings);
        const auto slowness = [](const auto& on_parts, int p, int on_nodes) {
            const auto [on_switches, on_sites] = on_parts;
            return std::tuple(on_sites, on_switches > 1, on_nodes > 1, p, on_nodes);
        };
        if (slowness(parts, int(ranks.size()), touched) > slowness(touched_, p_, nodes_touched_)) {
            touched_ = parts, p_ = int(ranks.size()), nodes_touched_ = touched;
            one_ = s;
        }
    }
    nodes_ = int(std::count_if(sets_of.begin(), sets_of.end(), [](int n) { return n > 0; }));
    sharing_ = *std::max_element(sets_of.begin(), sets_of.end());
    owners_ = owners == 0 ? p_ : owners;
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
    int group_count = 0, smallest = std::numeric_limits<int>::max(), largest = 0;
    bool contiguous = true;
    try {
        std::optional<Partition> made;
        for (std::size_t s = 0; s < sets_.size(); ++s) {
            const auto set = sets_[s];
            // Sets of one size are divided alike, unless the groups depend on the placement of their ranks.
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
        Division{Contention(placement_, inside), Contention(placement_, std::move(inside), smallest),
                 Contention(placement_, std::move(across)), Contention(placement_, std::move(leaders)),
                 group_count, smallest, largest, contiguous});
    return divisions_.back().division.get();
}

Machine seated(Machine machine, const Placement& placement) {
    machine.nodes.assign(placement.nodes().begin(), placement.nodes().end());
    if (placement.torus().empty())
        machine.torus.reset();
    else if (machine.torus)
        machine.torus->of_node.assign(placement.torus().begin(), placement.torus().end());
    for (Beyond& one : machine.beyond)
        if (placement.knows(one.level)) one.of_node = placement.by_node(one.level);
    std::erase_if(machine.beyond, [](const Beyond& one) { return one.of_node.empty(); });
    return machine;
}

}  // namespace echelon
