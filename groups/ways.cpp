// SPDX-License-Identifier: Apache-2.0
#include "groups/ways.hpp"

#include <vector>

#include "core/blocks.hpp"

namespace echelon {

int sqrt_group_count(int p) {
    long root = 1;  // the floor of the square root, in integers: exact
    while ((root + 1) * (root + 1) <= p) ++root;
    return static_cast<int>(p > root * (root + 1) ? root + 1 : root);  // beyond (root + 1/2)^2
}

Partition by_sqrt(int p) { return by_count(p, sqrt_group_count(p)); }

Partition by_count(int p, int group_count) {
    const Blocks blocks(static_cast<std::size_t>(p), group_count);
    std::vector<int> colors;
    for (int group = 0; group < group_count; ++group) colors.insert(colors.end(), blocks[group].count, group);
    return Partition::from_colors(colors);
}

Partition by_size(int p, int group_size) {
    std::vector<int> colors(static_cast<std::size_t>(p));
    for (int rank = 0; rank < p; ++rank) colors[static_cast<std::size_t>(rank)] = rank / group_size;
    return Partition::from_colors(colors);
}

Partition by_site(const Placement& placement) { return Partition::from_colors(placement.sites()); }

Partition by_switch(const Placement& placement) { return Partition::from_colors(placement.switches()); }

Partition by_node(const Placement& placement) { return Partition::from_colors(placement.nodes()); }

Partition by_package(const Placement& placement) { return Partition::from_colors(placement.packages()); }

Partition by_numa(const Placement& placement) { return Partition::from_colors(placement.numas()); }

Partition by_l3(const Placement& placement) { return Partition::from_colors(placement.l3s()); }

}  // namespace echelon
