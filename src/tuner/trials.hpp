// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_key.hpp"
#include "core/collective.hpp"
#include "estimators/profile/profile.hpp"
#include "hier/by_size.hpp"
#include "tuner/call_class.hpp"
#include "tuner/tournament.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace echelon {

/// The finding of a tournament.
struct Outcome {
    Recipe recipe = {};
    Seconds seconds = 0;
    /// 0: not measured.
    Seconds native = 0;
    /// The replaced recipe, with both times; empty: none.
    std::string loser = {};
};

/// The finding in a form for all communicators of this size and layout.
LearnedDecision learned(const CallClass& calls, const Outcome& finding, int p, const std::string& layout);

/// The tournament of one class.
struct Trial {
    Tournament tournament;
    /// True if the trial is in the list of those that wait for an exchange.
    bool due = false;
    /// Start of the call that makes an arm's plan.
    std::optional<Seconds> began = {};
    /// True if the next call is timed. Equal on all ranks.
    bool measures = false;
    /// Number of calls that the incumbent serves without next(), and of those that are left, plus one.
    long granted = 0, left = 1;

    /// This rank's timings are on their way. Until the result arrives, the incumbent serves and no call is
    /// timed.
    bool frozen = false;
    void freeze() {
        end_idle();
        tournament.end_visit();
        frozen = true;
    }

    /// Counts the calls that were made without next().
    void end_idle() {
        tournament.pass(granted + 1 - std::max(left, 1L));
        granted = 0;
        left = 1;
    }
    /// The arm of the next call. Equal on all ranks.
    std::size_t next() {
        end_idle();
        if (frozen) {
            constexpr long some = 1000;
            tournament.pass(1);
            measures = false;
            granted = some;
            left = granted + 1;
            return tournament.incumbent();
        }
        const std::size_t arm = tournament.next();
        measures = tournament.measures();
        granted = tournament.idle();
        left = granted + 1;
        return arm;
    }
};

/// The tournaments of one communicator and their findings. Equal on all ranks, except for readings of the
/// clock.
class Trials {
public:
    /// `usual_percent`: default share of the time in calls that trials may cost. `classes` must outlive this.
    Trials(int usual_percent, const CallClasses& classes)
        : usual_percent_(usual_percent), classes_(classes) {}

    /// Tells if the ranks read the same clock. Otherwise the first blocking exchange finds out.
    void set_clock_shared(bool shared) {
        clock_known_ = true;
        clock_shared_ = shared;
    }
    bool knows_clock() const { return clock_known_; }

    Trial* find(const CallClass& calls) {
        const auto found = trials_.find(calls);
        return found == trials_.end() ? nullptr : &found->second;
    }
    /// `terms` without the measure; an exchange has its time on the scale of the arms' expected times.
    Trial& begin(const CallClass& calls, std::vector<Tournament::Arm> arms, Tournament::Terms terms);
    /// Ends all trials; findings stay.
    void end() {
        trials_.clear();
        due_.clear();
        frozen_ = 0;
        awaits_roots_ = false;
    }
    /// Share of the time in these calls that trials may cost, in percent.
    int percent(const PlanKey& key) const;
    /// True if any class may have trials.
    bool tries() const { return usual_percent_ > 0 || !budgets_.empty(); }
    void set_percent(Collective collective, ByteRange sizes, int percent) {
        budgets_[collective].add(sizes, percent);
    }
    /// The communicators and windows that challengers wait for were made.
    void resume() {
        for (auto& [calls, trial] : trials_) {
            trial.end_idle();
            trial.tournament.resume();
        }
    }
    /// True if a trial is not concluded.
    bool trying() const;

    /// Lists the trial if its exchange is due. To be called after each of its calls has begun.
    void note(const PlanKey& key, Trial& trial) {
        if (trial.due || !trial.tournament.exchange_due()) return;
        trial.due = true;
        due_.push_back(classes_.of(key));
    }
    bool exchange_due() const { return !due_.empty(); }
    /// True if all due trials pay for a blocking exchange, and some gain by it.
    bool afford_to_stop();
    /// Exchanges the timings of all due trials. `least` replaces each number by its minimum over the ranks.
    /// Returns the classes with a new finding, whose plans must be made again. A trial ends if native wins.
    std::vector<CallClass> exchange(const std::function<void(std::vector<double>&)>& least);
    /// An exchange in steps, for ranks that do not block. First: freezes all due trials and returns this
    /// rank's numbers.
    std::vector<double> freeze();
    /// Last: takes the minimum of each number over the ranks.
    std::vector<CallClass> take_in(const std::vector<double>& least,
                                   Tournament::Way way = Tournament::Way::in_rounds);
    /// The first step in rounds, which have their result on all ranks. If awaits_roots(), the numbers are
    /// entry times of roots, and go_on() makes the numbers of the next step from their minima.
    std::vector<double> freeze_with_roots();
    bool awaits_roots() const { return awaits_roots_; }
    std::vector<double> go_on(const std::vector<double>& roots);
    /// Time that this rank has spent in an exchange in rounds.
    void was_busy(Seconds seconds) { busy_ += seconds; }

    const std::map<CallClass, Outcome>& findings() const { return findings_; }
    const Outcome* finding(const CallClass& calls) const {
        const auto found = findings_.find(calls);
        return found == findings_.end() ? nullptr : &found->second;
    }
    const Outcome* finding(const PlanKey& key) const { return finding(classes_.of(key)); }
    void forget_findings() { findings_.clear(); }

private:
    /// Freezes all due trials. `roots`: entry times of roots will be known.
    void freeze_all(bool roots);
    /// This rank's numbers of frozen trials.
    std::vector<double> own_roots() const;
    std::vector<double> own_numbers(const std::vector<double>& roots) const;
    void take(const CallClass& calls, Tournament::Verdict verdict);

    int usual_percent_;
    const CallClasses& classes_;
    std::map<Collective, BySize<int>> budgets_;
    std::map<CallClass, Trial> trials_;
    std::map<CallClass, Outcome> findings_;
    /// Due trials; the first `frozen_` of them are frozen.
    std::vector<CallClass> due_;
    std::size_t frozen_ = 0;
    bool clock_known_ = false, clock_shared_ = false, awaits_roots_ = false;
    /// Shortest time of an exchange, at once and in rounds. `own_`: of the last one, on this rank. `busy_`:
    /// of the one under way.
    Seconds at_once_ = 0, own_at_once_ = 0, in_rounds_ = 0, own_in_rounds_ = 0, busy_ = 0;
};

}  // namespace echelon
