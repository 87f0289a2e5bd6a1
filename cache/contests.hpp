// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/call_class.hpp"
#include "cache/plan_key.hpp"
#include "cache/tournament.hpp"
#include "core/collective.hpp"
#include "estimators/profile/profile.hpp"
#include "hier/by_size.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace echelon {

/// What a tournament has found.
struct Outcome {
    Recipe recipe = {};
    Seconds seconds = 0;
    /// 0: not seen.
    Seconds native = 0;
    /// Of who was chosen before and lost; empty: nobody.
    std::string loser = {};
};

/// The same for all communicators of as many ranks in that layout.
LearnedDecision learned(const CallClass& calls, const Outcome& finding, int p, const std::string& layout);

/// The tournament of one class of calls.
struct Contest {
    Tournament tournament;
    /// It is in the list of those that wait for a settlement.
    bool waits = false;
    /// When the call that makes an arm's plan began to do so.
    std::optional<Seconds> began = {};
    /// Somebody wants to know what the call takes that is about to run. The same on all ranks.
    bool measures = false;
    /// Calls that run the incumbent without a look, and how many are left, and one more.
    long granted = 0, left = 1;

    /// What this rank has seen is on its way to others: until it is taken in, the incumbent serves, and nothing is measured.
    bool frozen = false;
    void freeze() {
        look();
        tournament.end_visit();
        frozen = true;
    }

    /// Calls are looked at again.
    void look() {
        tournament.pass(granted + 1 - std::max(left, 1L));
        granted = 0;
        left = 1;
    }
    /// Whose turn it is. The same on all ranks.
    std::size_t next() {
        look();
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

/// The tournaments of one communicator, and what they have found. Everything is the same on all ranks but the
/// clock's readings inside.
class Contests {
public:
    /// `usual_percent`: of the time in calls goes to trying, where nothing else was set. The classes must outlive it.
    Contests(int usual_percent, const CallClasses& classes)
        : usual_percent_(usual_percent), classes_(classes) {}

    /// Whether the ranks' clocks show the same. Until somebody knows, the first settlement finds out.
    void set_clock_shared(bool shared) {
        clock_known_ = true;
        clock_shared_ = shared;
    }
    bool knows_clock() const { return clock_known_; }

    Contest* find(const CallClass& calls) {
        const auto found = contests_.find(calls);
        return found == contests_.end() ? nullptr : &found->second;
    }
    /// `terms`: without the measure; what a settlement takes as the arms' expected times are meant.
    Contest& begin(const CallClass& calls, std::vector<Tournament::Arm> arms, Tournament::Terms terms);
    /// Ends them; what was found stays.
    void end() {
        contests_.clear();
        due_.clear();
        frozen_ = 0;
        awaits_roots_ = false;
    }
    /// The same of those in which native has won, or nobody yet: all is open there again. The others go on.
    void begin_again();
    /// Of the time in such calls goes to trying, in percent.
    int percent(const PlanKey& key) const;
    /// Whether any calls are tried.
    bool tries() const { return usual_percent_ > 0 || !budgets_.empty(); }
    void set_percent(Collective collective, ByteRange sizes, int percent) {
        budgets_[collective].add(sizes, percent);
    }
    /// What challengers need was made.
    void resume() {
        for (auto& [calls, contest] : contests_) {
            contest.look();
            contest.tournament.resume();
        }
    }
    /// Some calls are not settled yet.
    bool trying() const;

    /// After each call of a contest was begun.
    void note(const PlanKey& key, Contest& contest) {
        if (contest.waits || !contest.tournament.settlement_due()) return;
        contest.waits = true;
        due_.push_back(classes_.of(key));
    }
    bool settlement_due() const { return !due_.empty(); }
    /// All that wait pay for stopping, and some gain by it.
    bool afford_to_stop();
    /// Lets the ranks exchange the times of all that wait. `least` replaces each number by the least of all
    /// ranks'. Of these classes something was found; their plans are to be made again. The contest of which native
    /// is the winner is over.
    std::vector<CallClass> settle(const std::function<void(std::vector<double>&)>& least);
    /// The same in steps, for ranks that do not stop to talk: what this rank says of all that wait, which stay as they are;
    std::vector<double> freeze();
    /// and later the least of each number over the ranks.
    std::vector<CallClass> take_in(const std::vector<double>& least,
                                   Tournament::Way way = Tournament::Way::in_rounds);
    /// In rounds, by which it comes back to all ranks, that is first when roots came, if awaits_roots(), and then what took how long by that.
    std::vector<double> freeze_with_roots();
    bool awaits_roots() const { return awaits_roots_; }
    std::vector<double> go_on(const std::vector<double>& roots);
    /// So long this rank was busy with such a settlement.
    void was_busy(Seconds seconds) { busy_ += seconds; }

    /// How long after the first tournament began the last times were exchanged. The same on all ranks.
    Seconds age() const { return age_; }

    const std::map<CallClass, Outcome>& findings() const { return findings_; }
    const Outcome* finding(const CallClass& calls) const {
        const auto found = findings_.find(calls);
        return found == findings_.end() ? nullptr : &found->second;
    }
    const Outcome* finding(const PlanKey& key) const { return finding(classes_.of(key)); }
    void forget_findings() { findings_.clear(); }

private:
    /// All that wait stay as they are. `roots`: when roots came will be known.
    void freeze_all(bool roots);
    /// This rank's, of those that are frozen.
    std::vector<double> own_roots() const;
    std::vector<double> own_numbers(const std::vector<double>& roots) const;
    void take(const CallClass& calls, Tournament::News news);

    int usual_percent_;
    const CallClasses& classes_;
    std::map<Collective, BySize<int>> budgets_;
    std::map<CallClass, Contest> contests_;
    std::map<CallClass, Outcome> findings_;
    /// Those that wait; the first of them are frozen.
    std::vector<CallClass> due_;
    std::size_t frozen_ = 0;
    bool clock_known_ = false, clock_shared_ = false, awaits_roots_ = false;
    /// The least that a settlement took; the last one on this rank, and of one that is under way so far. At once, and in rounds.
    Seconds at_once_ = 0, own_at_once_ = 0, in_rounds_ = 0, own_in_rounds_ = 0, busy_ = 0;
    /// As this rank's clock says.
    Seconds began_ = 0;
    Seconds age_ = 0;
};

}  // namespace echelon
