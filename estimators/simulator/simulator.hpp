// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/simulator/packed_schedule.hpp"
#include "estimators/simulator/timeline.hpp"

#include <vector>

namespace echelon {

/// Finish times of the ranks of a replayed schedule. All begin at 0.
struct Replayed {
    std::vector<Seconds> finish;  // by rank
    Seconds makespan() const;
};

/// Replays a schedule in virtual time.
///
/// Every rank has a processor (reductions, copies, overheads: one at a time), a port that sends one message
/// at a time and one that receives one message at a time. Messages inside its node and beyond it have
/// separate ports (unless Machine::one_port). The network model says how much a message costs and if it waits
/// for its receive (message_cost.hpp). A free port takes the first message whose other port is free, too:
/// ordered by the time at which the message was ready, then by its place in its sender's program, then by
/// sender. The result depends on nothing else.
///
/// Fills `timeline`, unless it is nullptr, with the activities of each rank. Throws Error if the schedule
/// cannot end.
Replayed simulate(const PackedSchedule& schedule, const Machine& machine, Timeline* timeline = nullptr);

/// Time at which the last rank finishes. Returns `unlimited`, and stops early, if that is after `limit`.
Seconds makespan_within(Seconds limit, const PackedSchedule& schedule, const Machine& machine);

/// Packs and replays a schedule that is replayed once.
Replayed simulate(const Schedule& schedule, const Machine& machine, Timeline* timeline = nullptr);

}  // namespace echelon
