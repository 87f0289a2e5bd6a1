// SPDX-License-Identifier: Apache-2.0
#include "flat/catalog.hpp"
#include "flat/scan.hpp"

#include <array>

namespace echelon {

std::span<const Algorithm> scan_rows() {
    static constexpr std::array rows{
        Algorithm{.collective = Collective::scan,
                  .name = "recursive_doubling",
                  .body = scan_recursive_doubling,
                  .cost = scan_recursive_doubling_cost,
                  .keeps_order = true,
                  .one_way = true,
                  .source = "Hillis and Steele 1986",
                  .best_for = "short vectors"},
        Algorithm{.collective = Collective::scan,
                  .name = "chain",
                  .body = scan_chain,
                  .cost = scan_chain_cost,
                  .keeps_order = true,
                  .takes_segment = true,
                  .default_segment = 32 * 1024,
                  .one_way = true,
                  .source = "pipeline along the ranks",
                  .best_for = "long vectors"},
        shm_row(Collective::scan, scan_shm, scan_recursive_doubling_cost),
    };
    return rows;
}

}  // namespace echelon
