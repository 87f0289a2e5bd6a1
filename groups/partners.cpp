// SPDX-License-Identifier: Apache-2.0
#include "groups/partners.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace echelon {
namespace {

using RanksOfNode = std::vector<std::vector<int>>;

/// The ranks of all nodes, starting with the busiest; a node that shares its switch with others takes
/// precedence.
RanksOfNode from_the_busiest(const Placement& placement) {
    RanksOfNode nodes(std::size_t(placement.node_count()));
    for (int rank = 0; rank < placement.size(); ++rank)
        nodes[std::size_t(placement.node(rank))].push_back(rank);
    std::map<int, int> nodes_on;
    for (const auto& ranks : nodes) ++nodes_on[placement.leaf_switch(ranks.front())];
    const auto busiest = std::ranges::max_element(nodes, {}, [&](const std::vector<int>& ranks) {
        return std::pair(nodes_on[placement.leaf_switch(ranks.front())] > 1, ranks.size());
    });
    std::rotate(nodes.begin(), busiest, nodes.end());
    return nodes;
}

/// Appends the way out of the first node, if there is one.
void add_way_out(std::vector<Partners::WayOut>& made, Level level, const Placement& placement,
                 const RanksOfNode& nodes) {
    const std::vector<int> parts = placement.by_node(level);
    const auto part = [&](int rank) { return parts[std::size_t(placement.node(rank))]; };
    const int home = nodes.front().front();
    std::vector<int> here;
    std::map<int, std::vector<int>> others;
    for (const std::vector<int>& ranks : nodes)
        if (const int rank = ranks.front(); part(rank) == part(home))
            here.push_back(rank);
        else if (level == Level::site || placement.site(rank) == placement.site(home))
            others[part(rank)].push_back(rank);
    if (others.empty()) return;
    Partners::WayOut& way = made.emplace_back(Partners::WayOut{.level = level});
    constexpr std::size_t most = 4;
    const std::size_t stride = (others.size() + most - 1) / most;
    std::size_t seen = 0;
    for (const auto& [number, there] : others)
        if (seen++ % stride == 0) way.lone.push_back({{home, there.front()}});
    const auto largest =
        std::ranges::max_element(others, {}, [](const auto& one) { return one.second.size(); });
    const std::vector<int>& there = largest->second;
    for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i)
        way.uplink.push_back({here[i], there[i]});
}

/// Chooses nodes at the median distance, and one at the largest distance.
void choose_in_torus(Partners& made, const Placement& placement, const RanksOfNode& near, std::size_t many) {
    const int home = near.front().front();
    const auto position = [&](int rank) { return placement.torus()[std::size_t(placement.node(rank))]; };
    std::vector<std::pair<int, int>> away;  // links, rank
    for (std::size_t node = 1; node < near.size(); ++node)
        away.emplace_back(hops(position(home), position(near[node].front())), near[node].front());
    std::ranges::sort(away);
    made.hops = away[away.size() / 2].first;
    if (made.hops == away.back().first) made.hops = away.front().first;
    constexpr std::size_t some = 4;
    made.far.clear();
    for (const auto& [links, rank] : away)
        if (links == made.hops && made.far.size() < some) made.far.push_back({{home, rank}});
    made.most_hops = away.back().first;
    // All receivers are at the smallest distance, each over another link.
    made.between_fan = {home};
    for (const auto& [links, rank] : away)
        if (links == away.front().first && made.between_fan.size() < many) made.between_fan.push_back(rank);
    if (made.most_hops > made.hops) made.farthest.push_back({{home, away.back().second}});
}

}  // namespace

Partners::Partners(const Placement& placement, std::size_t most_at_once) {
    const RanksOfNode all = from_the_busiest(placement);
    const std::vector<int>& home = all.front();
    for (std::size_t i = 0; i + 1 < home.size(); i += 2) inside.push_back({home[i], home[i + 1]});
    RanksOfNode near;  // on the same switch
    for (const std::vector<int>& ranks : all)
        if (placement.leaf_switch(ranks.front()) == placement.leaf_switch(home.front()))
            near.push_back(ranks);
    const std::size_t nodes = near.size(), many = 1 + most_at_once;
    // Nodes at several distances in the numbering: topologies show at the middle ones.
    for (const std::size_t step : {std::size_t(1), nodes / 4, nodes / 2, nodes - 1})
        if (step > 0 && step < nodes) {
            const Pairs one{{home.front(), near[step].front()}};
            if (std::ranges::find(far, one) == far.end()) far.push_back(one);
        }
    if (nodes > 1) {
        // All ranks of the node send at once: its card is the bottleneck.
        RanksOfNode others(near.begin() + 1, near.end());
        std::rotate(others.begin(), others.begin() + std::ptrdiff_t(nodes / 2 - 1), others.end());
        std::ranges::stable_sort(others, std::greater(), &std::vector<int>::size);
        for (const std::vector<int>& other : others)
            for (std::size_t i = 0; i < other.size() && across.size() < home.size(); ++i)
                across.push_back({home[across.size()], other[i]});
    }
    for (const Level level : all_levels) add_way_out(ways_out, level, placement, all);
    for (std::size_t i = 0; i < std::min(home.size(), many); ++i) inside_fan.push_back(home[i]);
    between_fan.push_back(home.front());
    for (std::size_t i = 0; i < home.size() && between_fan.size() < many; ++i)
        for (std::size_t node = 1; node < nodes && between_fan.size() < many; ++node)
            if (i < near[node].size()) between_fan.push_back(near[node][i]);
    if (!placement.torus().empty() && nodes > 1) choose_in_torus(*this, placement, near, many);
}

}  // namespace echelon
