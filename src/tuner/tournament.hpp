// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/recipe.hpp"
#include "tuner/timings.hpp"
#include "tuner/tournament_rules.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace echelon {

/// Finds the fastest recipe for the calls of one class while the program runs. The cost is bounded from the
/// first call on.
///
/// One recipe, the incumbent, serves the calls. Sometimes a challenger serves one, and its time is paired
/// with the time of an incumbent's call shortly before. The account pays for the extra time of challengers
/// and grows with the time spent in the class. Challengers are halved successively (Karnin, Koren and Somekh,
/// Almost optimal exploration in multi-armed bandits, 2013). The incumbent is replaced by evidence alone.
/// Afterwards the winner is watched.
///
/// All ranks run the same arm in the same call without a message, because the choice depends on `Common`
/// alone. Times stay in this rank's `Timings` until an exchange.
class Tournament {
public:
    struct Arm {
        Recipe recipe = {};
        /// By the model; 0: unknown. Only ratios count.
        Seconds expected = 0;
        /// Expected extra time of the first call, for the communicators and windows that it makes.
        Seconds setup = 0;
        /// Won elsewhere: it needs less proof.
        bool known = false;
        /// The expected time was measured shortly before: the arm need not be tried at once.
        bool seen = false;
    };
    using Measure = Timings::Measure;
    struct Terms {
        Measure measure = Measure::last_delay;
        /// Share of the time in the calls that trials may cost.
        double share = 0.05;
        /// The share during the first calls, since the program may end soon.
        double first_share = 0.02;
        /// True if the model of the expected times was compared with calls on this machine.
        bool calibrated = false;
        /// Time of a blocking exchange, and of an exchange in rounds if that is possible. On the scale of the
        /// arms' expected times until exchanges_take() gives measured times.
        Seconds exchange = 0;
        std::optional<Seconds> rounds = {};
        /// Number of a challenger's calls before the judged one, for calls so short that their time depends
        /// on caches.
        long warm_up = 0;
    };
    /// The first arm is the incumbent; without measurements this is native. Requires: at least two arms, the
    /// same on all ranks.
    Tournament(std::vector<Arm> arms, const Terms& terms);

    /// The arm of the next call.
    std::size_t next();
    /// Number of calls after this one that are the incumbent's in any case and need no timing. They may be
    /// made without next(); pass() counts them. Equal on all ranks.
    long idle() const;
    void pass(long calls);
    /// True if this call is timed. Equal on all ranks.
    bool measures() const { return common_.measures; }
    /// True if this call is the first of an arm and makes what the arm needs.
    bool first_call() const {
        return common_.running != common_.incumbent && common_.following == 0 && !common_.tried.back().judged;
    }
    /// This rank entered and left the call at these times, as the `root` or not. Ignored unless measures().
    void took(Seconds entered, Seconds left, bool root = false) {
        if (common_.measures) own_.took(entered, left, root);
    }
    /// The arm needs communicators or windows that do not exist. Its first call is paid, the incumbent serves
    /// this one, and the arm waits until resume(). Equal on all ranks.
    void postpone();
    void resume();
    /// The arm cannot serve and is out for good. Equal on all ranks.
    void drop(std::size_t arm);
    /// Omits the remaining calls of a challenger's visit. Equal on all ranks.
    void end_visit();

    /// True if the ranks should exchange their timings, and the account pays for some way.
    bool exchange_due() const;
    /// True if the account pays for a blocking exchange.
    bool affords_at_once() const { return affords_exchange(exchange_cost(Way::at_once)); }
    /// True if a promising arm waits for the exchange: an early result is worth blocking.
    bool is_urgent() const;
    std::vector<double> own_roots() const { return own_.own_roots(terms_.measure); }
    std::vector<double> own_numbers(const std::vector<double>& roots) const {
        return own_.own_numbers(terms_.measure, roots);
    }
    /// The result for the incumbent.
    enum class Verdict : std::uint8_t { none, replaced, confirmed, reopened };
    enum class Way : bool { at_once, in_rounds };
    Verdict evaluate(const std::vector<double>& least, Way way = Way::at_once);

    /// Also for timings that are not exchanged yet. Equal on all ranks.
    void measure_by(Measure measure) { terms_.measure = measure; }
    void exchanges_take(Seconds at_once, Seconds in_rounds);

    const std::vector<Arm>& arms() const { return arms_; }
    std::size_t incumbent() const { return common_.incumbent; }
    /// The incumbent before the last replacement.
    std::size_t former() const { return common_.former; }
    /// True if no challenger is left.
    bool concluded() const { return common_.concluded; }
    /// Time of the incumbent's calls at the last exchange; 0: unknown.
    Seconds seconds() const { return common_.seconds; }
    /// Measured time of an arm over the incumbent's; nullopt: not measured.
    std::optional<double> ratio(std::size_t arm) const;

private:
    static constexpr TournamentRules rules{};
    static constexpr long beats = Timings::beats, never = std::numeric_limits<long>::min() / 2;

    struct Standing {
        /// `unable`: out for good. `out`: out until the tournament reopens. `started`: its first call was
        /// made. `paid`: its setup is paid. `held`: its setup is not made yet.
        bool unable = false, out = false, started = false, paid = false, held = false;
        /// True after the first, short visit.
        bool glanced = false;
        /// Number of pairs before the next judgement, and of pairs that wait for an exchange.
        std::size_t goal = 1, waiting = 0;
        /// Beats with a judged call. The set is cleared when complete: all beats get equally many pairs.
        std::bitset<beats> judged_on = {};
        /// Its time over the incumbent's: measured, else expected.
        double ratio = 1;
        bool seen = false;
        /// `longest`: pairs of the longest stays, if the measure needs them.
        std::vector<Pair> pairs = {}, longest = {};
    };
    /// A challenger's call that waits for an exchange.
    struct Tried {
        std::size_t arm;
        bool judged;
        double charged;
    };
    /// Equal on all ranks. Costs are in calls of the incumbent.
    struct Common {
        std::vector<Standing> standings;
        std::size_t incumbent = 0, former = 0, running = 0;
        long calls = 0, exchanged_at = 0;
        double balance = 0;
        /// Remaining calls of a visit, up to the judged one, and the price that the account has paid for
        /// them.
        long following = 0;
        double charged = 0;
        /// The incumbent's last timed call on each beat, and on any beat.
        std::array<long, beats> incumbents_call{};
        long latest_incumbent = never;
        std::vector<Tried> tried;
        /// Number of unmeasured arms that were started since the last exchange.
        int blind = 0;
        /// True if the error of the model was measured.
        bool model_seen = false;
        bool concluded = false, measures = true;
        Seconds seconds = 0;
        /// The arm with which the winner is compared, and its ratio when the watch began.
        std::size_t opponent = 0;
        double watched_ratio = 0;
    };
    bool is_native(std::size_t arm) const { return arms_[arm].recipe.kind == Recipe::Kind::native; }
    /// The account's income per call.
    double income(long call) const;
    double in_calls(Seconds seconds, double unknown) const;
    double exchange_cost(Way way) const;
    double least_exchange_cost() const;
    /// Calls saved by promising arms since the last exchange. They pay for the next one, in addition to the
    /// account.
    double gained() const;
    bool affords_exchange(double cost) const;
    /// True for the first visit, of two calls, while caches are cold. Unless promising, its times are
    /// forgotten.
    bool is_glance(std::size_t arm) const { return terms_.warm_up > 0 && !common_.standings[arm].glanced; }
    /// Number of calls of a visit, after the arm's first call.
    long visit(std::size_t arm) const { return is_glance(arm) ? 2 : 1 + terms_.warm_up; }
    /// Expected extra cost of the arm's next visit.
    double reserve(std::size_t arm) const;
    bool wants(std::size_t arm) const;
    /// True if the account, with `more` in it, pays for the next visit, or if the visit is expected to gain.
    bool affords(std::size_t arm, double more = 0) const;
    /// True if the arm was faster in trusted times, and is not judged yet.
    bool is_promising(std::size_t arm) const;
    /// True if the measure shows the operation, without late ranks.
    bool trusts_times() const { return terms_.measure != Measure::longest_stay; }
    bool may_start_another() const;
    bool may_run(std::size_t arm, long call) const;
    std::size_t next_arm(long call) const;
    bool leads(std::size_t arm) const;
    /// The arm to watch the winner by: native, else the best loser; the incumbent if there is none.
    std::size_t find_opponent() const;
    void take_in(const std::vector<double>& least);
    /// Charges the account for visits by their typical time: an interrupted rank is no cost of exploring.
    void charge(const std::vector<double>& expected);
    void correct_model();
    Verdict judge();
    Verdict watch();
    void promote(std::size_t winner);
    void halve();

    std::vector<Arm> arms_;
    Terms terms_;
    Common common_;
    Timings own_;
};

}  // namespace echelon
