// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/simulator/packed_schedule.hpp"
#include "estimators/simulator/ports.hpp"

#include <utility>
#include <vector>

namespace echelon {

/// The windows of a schedule in virtual time: when ranks see each slot filled, and left. A slot is filled
/// again when all other ranks are seen to have left the round that it served before.
class SimulatedBoards {
public:
    using Op = PackedSchedule::Op;

    /// Throws Error if the schedule has windows and the machine none.
    SimulatedBoards(const PackedSchedule& schedule, const Machine& machine);

    static bool are_asked(const Op& op) {
        return op.kind == Op::Kind::put || op.kind == Op::Kind::get || op.kind == Op::Kind::fold ||
               op.kind == Op::Kind::leave;
    }
    /// Earliest time at which the step can run; `never` while that is unknown.
    Seconds ready(const Op& op) const;
    /// Processor time of the step while `at_work` ranks of the node work in windows. Every byte is copied or
    /// combined once for each rank that it comes from, no faster than the memory serves that many ranks at
    /// the same time.
    Seconds work(const Op& op, int at_work) const;
    /// Records that the step has run. Returns the time from which other ranks see it.
    Seconds done(const Op& op, Seconds now);

    /// Registers a strand that waits for a step that has not run.
    void wait(const Op& op, Id strand) { boards_[step(op).board].waiting.push_back(strand); }
    /// Removes and returns the strands that wait for steps on this step's board.
    std::vector<Id> waiting(const Op& op) { return std::exchange(boards_[step(op).board].waiting, {}); }

private:
    struct Marks {
        std::vector<Seconds> filled = {};  // by round: time at which it is seen; need not ascend
        std::vector<std::pair<std::uint64_t, Seconds>> left = {};  // rounds, time at which seen; both ascend
    };
    struct Board {
        std::size_t depth;
        std::vector<Marks> marks;  // by place
        std::vector<Id> waiting = {};
    };
    /// Time per byte.
    struct Work {
        SecondsPerByte copy, combine;
    };
    const PackedSchedule::WindowStep& step(const Op& op) const { return schedule_.window_steps[op.argument]; }

    const PackedSchedule& schedule_;
    Seconds hand_over_ = 0;
    std::vector<Board> boards_;
    std::vector<Work> work_;  // by number of ranks at work, from one on
};

}  // namespace echelon
