// SPDX-License-Identifier: Apache-2.0
#include "flat/barrier.hpp"
#include "flat/catalog.hpp"

#include <array>

namespace echelon {

std::span<const Algorithm> barrier_rows() {
    static constexpr std::array rows{
        Algorithm{.collective = Collective::barrier,
                  .name = "dissemination",
                  .body = barrier_dissemination,
                  .cost = barrier_dissemination_cost,
                  .takes_radix = true,
                  .source = "Hensgen, Finkel, Manber 1988",
                  .best_for = "any p"},
        Algorithm{.collective = Collective::barrier,
                  .name = "recursive_doubling",
                  .body = barrier_recursive_doubling,
                  .cost = barrier_recursive_doubling_cost,
                  .source = "Pjesivac-Grbovic et al. 2005",
                  .best_for = "p a power of two"},
        Algorithm{.collective = Collective::barrier,
                  .name = "linear",
                  .body = barrier_linear,
                  .cost = barrier_linear_cost,
                  .source = "Pjesivac-Grbovic et al. 2005",
                  .best_for = "comparison"},
        Algorithm{.collective = Collective::barrier,
                  .name = "double_ring",
                  .body = barrier_double_ring,
                  .cost = barrier_double_ring_cost,
                  .source = "Pjesivac-Grbovic et al. 2005",
                  .best_for = "comparison"},
        shm_row(Collective::barrier, barrier_shm, barrier_dissemination_cost),
    };
    return rows;
}

}  // namespace echelon
