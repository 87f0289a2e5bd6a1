// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <span>
#include <vector>

namespace echelon {

/// A number that each rank has, over the ranks.
struct Spread {
    double least = 0, sum = 0, most = 0;
    static Spread of(double own) { return {own, own, own}; }
    double mean(int ranks) const { return sum / ranks; }
    /// How much more than the mean the most is, as a share of it.
    double imbalance(int ranks) const { return sum > 0 ? most / mean(ranks) - 1 : 0; }
    void add(const Spread& other);
};

/// Each number over all ranks of MPI_COMM_WORLD, on rank 0; empty elsewhere, and where not all ranks have come
/// within `patience`. Every rank calls it once, in MPI_Finalize, with as many numbers.
std::vector<Spread> over_ranks(std::span<const Spread> own, Seconds patience);

}  // namespace echelon
