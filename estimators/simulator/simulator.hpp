// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/simulator/packed_schedule.hpp"
#include "estimators/simulator/timeline.hpp"

#include <vector>

namespace echelon {

/// When the ranks of a replayed schedule have finished. All begin at 0.
struct Replayed {
    std::vector<Seconds> finish;  // by rank
    Seconds makespan() const;
};

/// Replays a schedule in virtual time.
///
/// Every rank has a processor (reductions, copies, overheads: one at a time), a port that sends one message
/// at a time and one that receives one message at a time, for messages inside its node and beyond it apart
/// (Machine::one_port). What a message costs, and whether it waits for its
/// receive, is the network model's affair (message_cost.hpp). A free port takes the first message whose other
/// port is free too: first by the time at which the message was ready, then by its place in its sender's
/// program, then by sender. The result depends on nothing else.
///
/// A timeline, if wanted, is filled with what each rank did. Throws Error if the schedule cannot end.
Replayed simulate(const PackedSchedule& schedule, const Machine& machine, Timeline* timeline = nullptr);

/// When the last rank finishes; unlimited, and sooner known, where that is after `limit`.
Seconds makespan_within(Seconds limit, const PackedSchedule& schedule, const Machine& machine);

/// The same for a schedule that is replayed once.
Replayed simulate(const Schedule& schedule, const Machine& machine, Timeline* timeline = nullptr);

}  // namespace echelon
