// SPDX-License-Identifier: Apache-2.0
#include "flat/catalog.hpp"
#include "flat/reduce_scatter.hpp"

#include <array>

namespace echelon {

std::span<const Algorithm> reduce_scatter_rows() {
    static constexpr std::array rows{
        Algorithm{.collective = Collective::reduce_scatter,
                  .name = "linear",
                  .body = reduce_scatter_linear,
                  .cost = reduce_scatter_linear_cost,
                  .exact_cost = false,
                  .keeps_order = true,
                  .takes_radix = true,
                  .default_radix = 0,
                  .least_radix = 1,
                  .radix_name = "window",
                  .source = "all ranks to all ranks",
                  .best_for = "few ranks where messages overlap; in a window, long vectors"},
        Algorithm{.collective = Collective::reduce_scatter,
                  .name = "ring",
                  .body = reduce_scatter_ring,
                  .cost = reduce_scatter_ring_cost,
                  .source = "Rabenseifner 2004, section 3.7",
                  .best_for = "very long vectors"},
        Algorithm{.collective = Collective::reduce_scatter,
                  .name = "halving",
                  .body = reduce_scatter_halving,
                  .cost = reduce_scatter_halving_cost,
                  .keeps_order = true,
                  .source = "Thakur, Rabenseifner, Gropp 2005",
                  .best_for = "p a power of two"},
        Algorithm{.collective = Collective::reduce_scatter,
                  .name = "bine",
                  .body = reduce_scatter_bine,
                  .cost = reduce_scatter_bine_cost,
                  .source = "De Sensi et al. 2025",
                  .best_for = "even p, groups of near ranks"},
        Algorithm{.collective = Collective::reduce_scatter,
                  .name = "circulant",
                  .body = reduce_scatter_circulant,
                  .cost = reduce_scatter_circulant_cost,
                  .source = "Traeff 2024",
                  .best_for = "any p"},
        Algorithm{.collective = Collective::reduce_scatter,
                  .name = "pairwise",
                  .body = reduce_scatter_pairwise,
                  .cost = reduce_scatter_pairwise_cost,
                  .source = "Rabenseifner 2004, section 3.7",
                  .best_for = "long vectors where any two ranks are equally near"},
        Algorithm{.collective = Collective::reduce_scatter,
                  .name = "kring",
                  .body = reduce_scatter_kring,
                  .cost = reduce_scatter_kring_cost,
                  .takes_radix = true,
                  .default_radix = 4,
                  .least_radix = 1,
                  .source = "Wilkins et al. 2023",
                  .best_for = "very long vectors, groups of near ranks"},
        shm_row(Collective::reduce_scatter, reduce_scatter_shm, reduce_scatter_halving_cost),
    };
    return rows;
}

}  // namespace echelon
