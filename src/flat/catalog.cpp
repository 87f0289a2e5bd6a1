// SPDX-License-Identifier: Apache-2.0
#include "flat/catalog.hpp"

#include <algorithm>
#include <vector>

namespace echelon {

std::span<const Algorithm> catalog() {
    static const std::vector<Algorithm> all = [] {
        std::vector<Algorithm> rows;
        for (const auto& part :
             {reduce_rows(), allreduce_rows(), bcast_rows(), barrier_rows(), reduce_scatter_rows(),
              allgather_rows(), gather_rows(), scatter_rows(), alltoall_rows(), scan_rows(), exscan_rows()})
            rows.insert(rows.end(), part.begin(), part.end());
        return rows;
    }();
    return all;
}

const Algorithm* find_algorithm(Collective collective, std::string_view name) {
    const auto rows = catalog();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Algorithm& row) {
        return row.collective == collective && row.name == name;
    });
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace echelon
