// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/contests.hpp"
#include "cache/plan_table.hpp"
#include "mpi/clock.hpp"

#include <map>
#include <utility>
#include <vector>

namespace echelon {

/// What waits for a call in which the ranks of a communicator may talk to each other, and how long calls go without a thought. All ranks make
/// the same calls, so all have the same agenda, but for the clock's reading inside.
class Agenda {
public:
    /// Calls are looked at again where something comes up. Both must outlive it.
    Agenda(PlanTable& plans, const CallClasses& classes) : plans_(plans), classes_(classes) {}

    bool is_empty() const { return !open_; }
    /// The ranks have something to settle.
    void open() {
        if (!open_) tell_in(2);
        open_ = true;
        plans_.look_again();
    }
    /// Only what is not `settled` is left.
    void done(bool settled) { open_ = !settled; }

    /// Where ranks never talk, rank 0 may still tell something. Such a call has come: is it time for that? Often at first, then
    /// ever more rarely.
    bool is_time_to_tell() {
        if (--until_telling_ > 0) return false;
        until_telling_ = telling_after_ *= 2;
        return true;
    }
    /// Something is left that waits for such a call.
    void stay_open() { open_ = true; }
    /// That many such calls come until the next time.
    void tell_in(long calls) { until_telling_ = telling_after_ = calls; }

    /// A call that waits for nobody could not be decided, or served, by what is known.
    void decide(const PlanKey& key) {
        undecided_.try_emplace(classes_.of(key), key);
        open();
    }
    /// What waits is taken up: calls that nobody has decided are looked at anew. Returns these. Only what is not `settled` is
    /// left.
    std::vector<PlanKey> take_up(bool settled);
    /// Such a call could try this recipe if what that needs were made.
    void make(const Recipe& recipe, const PlanKey& key);
    std::vector<std::pair<Recipe, PlanKey>> take_wanted() { return std::exchange(wanted_, {}); }
    bool wants() const { return !wanted_.empty(); }
    void forget_wanted() { wanted_.clear(); }

    /// Calls of a class go to the library until somebody thinks about them.
    struct Patience {
        /// Until then, and so many in all.
        long left, calls;
        /// When this rank made the first of them.
        Seconds since;
    };
    /// At first as many as are given.
    Patience& patience(const PlanKey& key, long at_first);
    /// Nullptr: there was no such call.
    const Patience* patience_of(const PlanKey& key) const;
    /// So many more come first.
    void wait_for(const PlanKey& key, long calls);

private:
    PlanTable& plans_;
    const CallClasses& classes_;
    bool open_ = false;
    long until_telling_ = 0, telling_after_ = 0;
    std::map<CallClass, PlanKey> undecided_;
    std::vector<std::pair<Recipe, PlanKey>> wanted_;
    std::map<CallClass, Patience> patience_;
};

}  // namespace echelon
