// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_table.hpp"
#include "mpi/clock.hpp"
#include "tuner/trials.hpp"

#include <map>
#include <utility>
#include <vector>

namespace echelon {

/// Work that waits for a call in which the ranks of a communicator may communicate, and the countdowns of
/// undecided classes. All ranks make the same calls and hold the same state, except for readings of the
/// clock.
class PendingDecisions {
public:
    /// The arguments must outlive this. New work makes all calls look up their plans again.
    PendingDecisions(PlanTable& plans, const CallClasses& classes) : plans_(plans), classes_(classes) {}

    bool is_empty() const { return !open_; }
    /// Marks work as pending.
    void open() {
        if (!open_) tell_in(2);
        open_ = true;
        plans_.look_again();
    }
    /// Marks the work as done, except for requests that are not `settled`.
    void done(bool settled) { open_ = !settled; }

    /// Counts a call in which all ranks wait for rank 0. True: rank 0 broadcasts a message in it. The gaps
    /// between messages double.
    bool is_time_to_tell() {
        if (--until_telling_ > 0) return false;
        until_telling_ = telling_after_ *= 2;
        return true;
    }
    /// Work is left for another call.
    void stay_open() { open_ = true; }
    /// Number of these calls until the next message, and the first gap.
    void tell_in(long calls) { until_telling_ = telling_after_ = calls; }

    /// A call that does not synchronise could not be decided or served: the ranks settle it later.
    void decide(const PlanKey& key) {
        undecided_.try_emplace(classes_.of(key), key);
        open();
    }
    /// Returns the undecided calls and erases their plans. Work is done, except for requests that are not
    /// `settled`.
    std::vector<PlanKey> take_undecided(bool settled);
    /// A trial of the class waits until the communicators and windows of the recipe exist.
    void want(const Recipe& recipe, const PlanKey& key);
    std::vector<std::pair<Recipe, PlanKey>> take_wanted() { return std::exchange(wanted_, {}); }
    bool wants() const { return !wanted_.empty(); }
    void forget_wanted() { wanted_.clear(); }

    /// The native calls of a class before its decision.
    struct Countdown {
        /// Calls that are left, and calls in total.
        long left, calls;
        /// Time of this rank's first call.
        Seconds since;
    };
    /// The countdown of a class; a new one begins with `at_first` calls.
    Countdown& countdown(const PlanKey& key, long at_first);
    /// The countdown of a class; nullptr if it has none.
    const Countdown* countdown_of(const PlanKey& key) const;
    /// Adds native calls before the decision.
    void extend_countdown(const PlanKey& key, long calls);

private:
    PlanTable& plans_;
    const CallClasses& classes_;
    bool open_ = false;
    long until_telling_ = 0, telling_after_ = 0;
    std::map<CallClass, PlanKey> undecided_;
    std::vector<std::pair<Recipe, PlanKey>> wanted_;
    std::map<CallClass, Countdown> countdowns_;
};

}  // namespace echelon
