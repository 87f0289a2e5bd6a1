// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/options.hpp"
#include "bench/results.hpp"

#include <mpi.h>

namespace echelon::bench {

/// Cost of the automatic choice on every part of the ranks, by the profile of all of them; prints each cell
/// as it is found. The cells are rank 0's, which is in all parts. Collective.
Regrets regret(const Options& options, MPI_Comm world);
void print(const std::vector<RegretCell>& cells);

}  // namespace echelon::bench
