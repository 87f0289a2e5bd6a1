// SPDX-License-Identifier: Apache-2.0
#include "flat/catalog.hpp"
#include "flat/gather.hpp"

#include <array>

namespace echelon {

std::span<const Algorithm> gather_rows() {
    static constexpr std::array rows{
        Algorithm{.collective = Collective::gather,
                  .name = "linear",
                  .body = gather_linear,
                  .cost = gather_linear_cost,
                  .one_way = true,
                  .own_blocks = true,
                  .source = "all ranks to the root",
                  .best_for = "long blocks"},
        Algorithm{.collective = Collective::gather,
                  .name = "binomial",
                  .body = gather_binomial,
                  .cost = gather_binomial_cost,
                  .one_way = true,
                  .source = "binomial tree",
                  .best_for = "short blocks"},
        Algorithm{.collective = Collective::gather,
                  .name = "bine",
                  .body = gather_bine,
                  .cost = gather_bine_cost,
                  .one_way = true,
                  .source = "De Sensi et al. 2025",
                  .best_for = "short blocks"},
        shm_row(Collective::gather, gather_shm, gather_binomial_cost),
    };
    return rows;
}

}  // namespace echelon
