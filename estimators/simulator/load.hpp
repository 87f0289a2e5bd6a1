// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/simulator/packed_schedule.hpp"

namespace echelon {

/// What the busiest port, processor or card of a machine has to do for a schedule: no replay is shorter, and
/// a long pipeline takes that for each of its segments.
Seconds busiest(const PackedSchedule& schedule, const Machine& machine);

}  // namespace echelon
