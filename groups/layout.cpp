// SPDX-License-Identifier: Apache-2.0
#include "groups/layout.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace echelon {
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

bool tells_every_rank(const std::string& layout) {
    return layout.find(" on ") == std::string::npos && !layout.ends_with(" mixed");
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
