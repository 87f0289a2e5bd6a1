// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/shared_links.hpp"

#include <algorithm>

namespace echelon {

SharedLinks::SharedLinks(const Machine& machine, int p) : machine_(machine) {
    int nodes = 0;
    for (int r = 0; r < p; ++r) nodes = std::max(nodes, machine.node(r) + 1);
    std::size_t count = 3 * std::size_t(nodes);
    for (const Beyond& one : machine.beyond) {
        first_.push_back(count);
        count += 2 * std::size_t(*std::max_element(one.of_node.begin(), one.of_node.end()) + 1);
    }
    torus_ = count;
    if (machine.torus && !machine.torus->of_node.empty()) count += link_count(machine.torus->of_node.front());
    free_.assign(count, 0);
}

Seconds SharedLinks::carry(int from, int to, Bytes bytes, Seconds now, Seconds transfer) {
    Seconds end = now + transfer;
    pass(from, to, bytes, [&](std::size_t i, Seconds share) {
        free_[i] = std::max(free_[i], now) + share;
        end = std::max(end, free_[i]);
    });
    return end;
}

}  // namespace echelon
