// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/options.hpp"
#include "bench/results.hpp"
#include "groups/placement.hpp"

#include <string>

namespace echelon::bench {

/// The machine of this rank, the conditions of the measurement, and on rank 0 the bindings of all ranks.
/// Collective.
Machine describe(const Options& options, const Placement& placement, const CommonStart& start,
                 MPI_Comm world);

}  // namespace echelon::bench
