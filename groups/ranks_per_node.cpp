// SPDX-License-Identifier: Apache-2.0
#include "groups/ranks_per_node.hpp"

#include <algorithm>

namespace echelon {

int ranks_per_node(const Placement& placement) {
    std::vector<int> ranks(std::size_t(placement.node_count()));
    for (const int node : placement.nodes()) ++ranks[std::size_t(node)];
    return ranks.empty() ? 0 : *std::max_element(ranks.begin(), ranks.end());
}

}  // namespace echelon
