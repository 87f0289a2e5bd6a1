// SPDX-License-Identifier: Apache-2.0
#include "flat/allgather.hpp"
#include "flat/catalog.hpp"

#include <array>

namespace echelon {

std::span<const Algorithm> allgather_rows() {
    static constexpr std::array rows{
        Algorithm{.collective = Collective::allgather,
                  .name = "linear",
                  .body = allgather_linear,
                  .cost = allgather_linear_cost,
                  .source = "all ranks to all ranks",
                  .best_for = "few ranks where messages overlap"},
        Algorithm{.collective = Collective::allgather,
                  .name = "ring",
                  .body = allgather_ring,
                  .cost = allgather_ring_cost,
                  .source = "Rabenseifner 2004, section 3.7",
                  .best_for = "very long vectors"},
        Algorithm{.collective = Collective::allgather,
                  .name = "doubling",
                  .body = allgather_doubling,
                  .cost = allgather_doubling_cost,
                  .source = "Thakur, Rabenseifner, Gropp 2005",
                  .best_for = "p a power of two"},
        Algorithm{.collective = Collective::allgather,
                  .name = "bine",
                  .body = allgather_bine,
                  .cost = allgather_bine_cost,
                  .source = "De Sensi et al. 2025",
                  .best_for = "even p, groups of near ranks"},
        Algorithm{.collective = Collective::allgather,
                  .name = "circulant",
                  .body = allgather_circulant,
                  .cost = allgather_circulant_cost,
                  .source = "Traeff 2024; Bruck et al. 1997",
                  .best_for = "any p"},
        Algorithm{.collective = Collective::allgather,
                  .name = "kring",
                  .body = allgather_kring,
                  .cost = allgather_kring_cost,
                  .takes_radix = true,
                  .default_radix = 4,
                  .least_radix = 1,
                  .source = "Wilkins et al. 2023",
                  .best_for = "very long vectors, groups of near ranks"},
        shm_row(Collective::allgather, allgather_shm, allgather_circulant_cost),
    };
    return rows;
}

}  // namespace echelon
