// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/simulator/packed_schedule.hpp"

namespace echelon {

/// Time for which a schedule occupies the busiest port, processor or card of a machine. It is a lower bound
/// of every replay, and the time per segment of a long pipeline.
Seconds busiest(const PackedSchedule& schedule, const Machine& machine);

}  // namespace echelon
