// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/options.hpp"
#include "bench/results.hpp"
#include "groups/placement.hpp"

#include <string>

namespace echelon::bench {

/// The machine as this rank sees it, how it is measured, and on rank 0 what all ranks are bound to.
/// Collective.
Machine describe(const Options& options, const Placement& placement, const CommonStart& start,
                 MPI_Comm world);

}  // namespace echelon::bench
