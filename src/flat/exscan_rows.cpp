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
                  .one_way = true,
                  .source = "Hillis and Steele 1986",
                  .best_for = "any vector"},
        Algorithm{.collective = Collective::exscan,
                  .name = "123_doubling",
                  .body = exscan_123_doubling,
                  .cost = exscan_123_doubling_cost,
                  .keeps_order = true,
                  .one_way = true,
                  .source = "Traeff 2025",
                  .best_for = "slow operations"},
        shm_row(Collective::exscan, exscan_shm, exscan_recursive_doubling_cost),
    };
    return rows;
}

}  // namespace echelon
