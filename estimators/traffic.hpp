// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/packed_schedule.hpp"

#include <span>
#include <vector>

namespace echelon {

/// Bytes that leave each node, over all of a schedule. `nodes` has the node of each rank.
std::vector<Bytes> bytes_leaving(const PackedSchedule& schedule, std::span<const int> nodes);

}  // namespace echelon
