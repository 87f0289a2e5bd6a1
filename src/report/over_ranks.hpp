// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <span>
#include <vector>

namespace echelon {

/// The least, the sum and the most of a number over the ranks.
struct Spread {
    double least = 0, sum = 0, most = 0;
    static Spread of(double own) { return {own, own, own}; }
    double mean(int ranks) const { return sum / ranks; }
    /// Excess of the most over the mean, as a share of the mean.
    double imbalance(int ranks) const { return sum > 0 ? most / mean(ranks) - 1 : 0; }
    void add(const Spread& other);
};

/// Each number over all ranks of MPI_COMM_WORLD, on rank 0. Empty on other ranks, and if a rank does not come
/// within `patience`. Every rank calls it once, in MPI_Finalize, with equally many numbers.
std::vector<Spread> over_ranks(std::span<const Spread> own, Seconds patience);

}  // namespace echelon
