// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/simulator/packed_schedule.hpp"
#include "estimators/simulator/ports.hpp"

#include <utility>
#include <vector>

namespace echelon {

/// The windows of a schedule in virtual time: when each slot is seen filled, and left. A slot is filled anew when all others are
/// seen to have left the round that it served before.
class Boards {
public:
    using Op = PackedSchedule::Op;

    /// Error: the schedule has windows, and the machine none.
    Boards(const PackedSchedule& schedule, const Machine& machine);

    static bool are_asked(const Op& op) {
        return op.kind == Op::Kind::put || op.kind == Op::Kind::get || op.kind == Op::Kind::fold ||
               op.kind == Op::Kind::leave;
    }
    /// From when on the step can run; `never` while that is unknown.
    Seconds ready(const Op& op) const;
    /// What it takes on the processor, while so many ranks of the node work in windows: every byte is copied or combined once for each rank that it
    /// comes from, no faster than the memory serves so many at the same time.
    Seconds work(const Op& op, int at_work) const;
    /// The step has run: others see it from the time that is returned on.
    Seconds done(const Op& op, Seconds now);

    /// The strand waits for a step that has not run.
    void wait(const Op& op, Id strand) { boards_[step(op).board].waiting.push_back(strand); }
    /// Those who wait for steps like this one, and wait no more.
    std::vector<Id> waiting(const Op& op) { return std::exchange(boards_[step(op).board].waiting, {}); }

private:
    struct Marks {
        std::vector<Seconds> filled = {};  // by round, seen when; a later one may come sooner
        std::vector<std::pair<std::uint64_t, Seconds>> left = {};  // rounds, seen when; both grow
    };
    struct Board {
        std::size_t depth;
        std::vector<Marks> marks;  // by place
        std::vector<Id> waiting = {};
    };
    /// What a byte takes.
    struct Work {
        SecondsPerByte copy, combine;
    };
    const PackedSchedule::WindowStep& step(const Op& op) const { return schedule_.window_steps[op.argument]; }

    const PackedSchedule& schedule_;
    Seconds hand_over_ = 0;
    std::vector<Board> boards_;
    std::vector<Work> work_;  // by the ranks at work, from one on
};

}  // namespace echelon
