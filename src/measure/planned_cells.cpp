// SPDX-License-Identifier: Apache-2.0
#include "measure/planned_cells.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace echelon {

std::vector<PlannedCell> planned_cells(const std::vector<Collective>& collectives, std::vector<Bytes> sizes,
                                       int ranks) {
    std::ranges::sort(sizes);
    std::vector<unsigned> order(sizes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(
        order, [](unsigned a, unsigned b) { return std::countr_zero(a) > std::countr_zero(b); });
    std::vector<PlannedCell> list;
    for (const unsigned i : order)
        for (const Collective collective : collectives) {
            const bool makes_sense = collective == Collective::barrier
                                         ? i == 0
                                         : !in_blocks(collective) || sizes[i] >= Bytes(ranks);
            if (makes_sense) list.push_back({collective, sizes[i], i % 2 == 1 && i + 1 < sizes.size()});
        }
    return list;
}

}  // namespace echelon
