// SPDX-License-Identifier: Apache-2.0
#include "flat/alltoall.hpp"
#include "flat/catalog.hpp"

#include <array>

namespace echelon {

std::span<const Algorithm> alltoall_rows() {
    static constexpr std::array rows{
        Algorithm{.collective = Collective::alltoall,
                  .name = "linear",
                  .body = alltoall_linear,
                  .cost = alltoall_linear_cost,
                  .takes_radix = true,
                  .default_radix = 0,
                  .least_radix = 1,
                  .radix_name = "window",
                  .own_blocks = true,
                  .source = "Pjesivac-Grbovic et al. 2005",
                  .best_for = "long messages where they may overlap"},
        Algorithm{.collective = Collective::alltoall,
                  .name = "pairwise",
                  .body = alltoall_pairwise,
                  .cost = alltoall_pairwise_cost,
                  .own_blocks = true,
                  .source = "Pjesivac-Grbovic et al. 2005",
                  .best_for = "long messages"},
        Algorithm{.collective = Collective::alltoall,
                  .name = "bruck",
                  .body = alltoall_bruck,
                  .cost = alltoall_bruck_cost,
                  .takes_radix = true,
                  .source = "Bruck et al. 1997",
                  .best_for = "very short messages"},
        shm_row(Collective::alltoall, alltoall_shm, alltoall_pairwise_cost),
    };
    return rows;
}

}  // namespace echelon
