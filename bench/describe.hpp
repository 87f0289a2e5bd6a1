// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/options.hpp"
#include "bench/results.hpp"
#include "groups/placement.hpp"

#include <string>

namespace echelon::bench {

/// The machine as this rank sees it, and how it is measured. Local.
Machine describe(const Options& options, const Placement& placement, const CommonStart& start);

}  // namespace echelon::bench
