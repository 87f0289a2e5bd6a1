// SPDX-License-Identifier: Apache-2.0
#include "flat/catalog.hpp"
#include "flat/scatter.hpp"

#include <array>

namespace echelon {

std::span<const Algorithm> scatter_rows() {
    static constexpr std::array rows{
        Algorithm{.collective = Collective::scatter,
                  .name = "linear",
                  .body = scatter_linear,
                  .cost = scatter_linear_cost,
                  .one_way = true,
                  .own_blocks = true,
                  .source = "the root to all ranks",
                  .best_for = "long blocks"},
        Algorithm{.collective = Collective::scatter,
                  .name = "binomial",
                  .body = scatter_binomial,
                  .cost = scatter_binomial_cost,
                  .one_way = true,
                  .source = "binomial tree",
                  .best_for = "short blocks"},
        Algorithm{.collective = Collective::scatter,
                  .name = "bine",
                  .body = scatter_bine,
                  .cost = scatter_bine_cost,
                  .one_way = true,
                  .source = "De Sensi et al. 2025",
                  .best_for = "short blocks"},
        shm_row(Collective::scatter, scatter_shm, scatter_binomial_cost),
    };
    return rows;
}

}  // namespace echelon
