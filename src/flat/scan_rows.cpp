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
                  .source = "Hillis and Steele 1986",
                  .best_for = "short vectors"},
        Algorithm{.collective = Collective::scan,
                  .name = "chain",
                  .body = scan_chain,
                  .cost = scan_chain_cost,
                  .keeps_order = true,
                  .takes_segment = true,
                  .default_segment = 32 * 1024,
                  .source = "pipeline along the ranks",
                  .best_for = "long vectors"},
        Algorithm{.collective = Collective::scan,
                  .name = "shm",
                  .body = scan_shm,
                  .cost = scan_shm_cost,
                  .keeps_order = true,
                  .in_window = true,
                  .source = "DeepSpeed 2024; MPICH release_gather",
                  .best_for = "ranks of one node"},
    };
    return rows;
}

}  // namespace echelon
