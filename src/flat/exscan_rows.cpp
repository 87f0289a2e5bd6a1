// SPDX-License-Identifier: Apache-2.0
#include "flat/catalog.hpp"
#include "flat/scan.hpp"

#include <array>

namespace echelon {

std::span<const Algorithm> exscan_rows() {
    static constexpr std::array rows{
        Algorithm{.collective = Collective::exscan,
                  .name = "recursive_doubling",
                  .body = exscan_recursive_doubling,
                  .cost = exscan_recursive_doubling_cost,
                  .keeps_order = true,
                  .source = "Hillis and Steele 1986",
                  .best_for = "any vector"},
        Algorithm{.collective = Collective::exscan,
                  .name = "shm",
                  .body = exscan_shm,
                  .cost = exscan_shm_cost,
                  .keeps_order = true,
                  .in_window = true,
                  .source = "DeepSpeed 2024; MPICH release_gather",
                  .best_for = "ranks of one node"},
    };
    return rows;
}

}  // namespace echelon
