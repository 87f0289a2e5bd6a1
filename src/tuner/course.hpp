// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/call_counter.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace echelon {

/// The next calls of a class in a trial, as rank 0 tells them. Recipes are numbers of arms.
struct Agenda {
    std::size_t incumbent = 0;
    /// The arm that is compared with the incumbent.
    std::size_t challenger = 0;
    /// The arm of the calls that are not measured: the incumbent, or a challenger that looks faster.
    std::size_t serving = 0;
    /// Number of calls that come first.
    long wait = 0;
    /// Number of calls of an arm that come before the measured ones of each visit.
    long warm = 0;
    /// Number of consecutive calls that are measured together; 0: single calls are timed.
    long block = 0;
    /// Blocks in the order A B B A, else A B.
    bool mirrored = false;
    /// Number of repetitions; 0: no trial.
    long rounds = 0;
    /// The trial has its winner, which is only watched.
    bool settled = false;

    bool empty() const { return rounds == 0; }
    friend bool operator==(const Agenda&, const Agenda&) = default;
};

/// Follows an agenda: all ranks make the same calls, and therefore run the same arm in the same call without
/// a message. Local.
class Course {
public:
    Course() = default;
    explicit Course(const Agenda& agenda);

    /// The arm of the next call. To be called when the counter has no calls left; sets it for the calls that
    /// follow. `instant`: clock of this rank.
    std::size_t next(CallCounter& counter, Seconds instant);
    /// True if all calls of the agenda were made. Agenda::serving serves the calls that follow.
    bool is_done() const { return at_ == steps_.size(); }
    std::size_t incumbent() const { return incumbent_; }
    /// Number of calls of the whole agenda.
    long calls() const;

    /// This rank's numbers, equally many on all ranks. Rank 0 evaluates their minima over the ranks (single
    /// calls) or sums (blocks). Requires: is_done().
    std::vector<double> numbers() const;

private:
    enum class Record : std::uint8_t { none, call, span };
    struct Step {
        std::size_t arm;
        long calls;
        Record record;
    };

    std::vector<Step> steps_;
    std::size_t incumbent_ = 0, serving_ = 0, at_ = 0;
    bool begun_ = false;
    /// Calls of the step that are left.
    long rest_ = 0;
    Seconds mark_ = 0;
    std::vector<double> recorded_;
};

}  // namespace echelon
