// SPDX-License-Identifier: Apache-2.0
#include "flat/catalog.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace echelon {

std::span<const Algorithm> catalog() {
    // Never destroyed, like all static data here: programs may call and finalize MPI in exit handlers.
    static const auto& all = *new auto([] {
        std::vector<Algorithm> rows;
        for (const auto& part :
             {reduce_rows(), allreduce_rows(), bcast_rows(), barrier_rows(), reduce_scatter_rows(),
              allgather_rows(), gather_rows(), scatter_rows(), alltoall_rows(), scan_rows(), exscan_rows()})
            rows.insert(rows.end(), part.begin(), part.end());
        return rows;
    }());
    return all;
}

std::span<const Algorithm> catalog(Collective collective) {
    static const auto& by_collective = *new auto([] {
        std::map<Collective, std::span<const Algorithm>> rows;
        for (const Algorithm& row : catalog()) {
            auto& run = rows[row.collective];
            run = {run.empty() ? &row : run.data(), run.size() + 1};
        }
        return rows;
    }());
    return by_collective.at(collective);
}

const Algorithm* find_algorithm(Collective collective, std::string_view name) {
    const auto rows = catalog(collective);
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const Algorithm& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace echelon
