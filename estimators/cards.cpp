// SPDX-License-Identifier: Apache-2.0
#include "estimators/cards.hpp"

#include <algorithm>

namespace echelon {

Cards::Cards(const Machine& machine, int p) : machine_(machine) {
    int nodes = 0;
    for (int r = 0; r < p; ++r) nodes = std::max(nodes, machine.node(r) + 1);
    free_.assign(3 * std::size_t(nodes), 0);
}

Seconds Cards::carry(int from, int to, Bytes bytes, Seconds now, Seconds transfer) {
    const auto source = std::size_t(machine_.node(from)), target = std::size_t(machine_.node(to));
    const BytesPerSecond rate = source == target ? machine_.memory : machine_.card;
    const Seconds end = now + transfer;
    if (rate == unlimited || bytes == 0) return end;
    const Seconds share = on_grid(double(bytes) / rate);
    if (source == target) return std::max(end, occupy(free_[3 * source + 2], now, share));
    return std::max({end, occupy(free_[3 * source], now, share), occupy(free_[3 * target + 1], now, share)});
}

}  // namespace echelon
