// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/readings.hpp"
#include "cache/tournament_rules.hpp"
#include "hier/recipe.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace echelon {

/// Finds out in running calls of one class which recipe is fastest, at a price that is bounded from the first
/// call on.
///
/// One recipe, the incumbent, serves the calls; now and then a challenger serves one, and its time is paired
/// with that of an incumbent's call shortly before. What such calls cost more than the incumbent's is paid
/// from an account that grows with the time spent in the class. Challengers are halved successively
/// (Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits, 2013), and the incumbent
/// goes by evidence alone. Afterwards the winner is watched.
///
/// All ranks run the same arm in the same call without a message: that hangs on `Common` alone. Times are a
/// rank's own `Readings` until a settlement, in a call that synchronises by itself.
class Tournament {
public:
    struct Arm {
        Recipe recipe = {};
        /// By model; 0: unknown. Only their ratios count.
        Seconds expected = 0;
        /// What its first call is expected to take besides, for communicators that it needs.
        Seconds setup = 0;
        /// Won elsewhere: it has less to prove.
        bool known = false;
        /// What is expected of it was seen just now: it need not be tried at once.
        bool seen = false;
    };
    using Measure = Readings::Measure;
    struct Terms {
        Measure measure = Measure::last_delay;
        /// Of the time spent in the calls, this share may be spent on exploring.
        double share = 0.05;
        /// While the program may end soon, so much.
        double first_share = 0.02;
        /// What is expected of arms is by a model that was compared with calls on this machine.
        bool calibrated = false;
        /// What a settlement takes at once, and in rounds while calls go on, if it can be had so: of the same world as the arms' expected
        /// times, until settlements_take() says what it was.
        Seconds settlement = 0;
        std::optional<Seconds> rounds = {};
        /// So many calls of a challenger go before the one that is judged, for calls so short that what is in the
        /// caches decides. At most 6.
        long warm_up = 0;
    };
    /// The first arm is the incumbent; where nothing was measured, that is native. Requires: two at least.
    /// The same on all ranks.
    Tournament(std::vector<Arm> arms, const Terms& terms);

    /// Who runs the next call.
    std::size_t next();
    /// So many calls after that one are the incumbent's whatever happens, and nobody wants to know what they
    /// take: they may be made without next(), which is told of them by pass(). The same on all ranks.
    long idle() const;
    void pass(long calls);
    /// Whether somebody wants to know what that call takes. The same on all ranks.
    bool measures() const { return common_.measures; }
    /// That call is the first of an arm, which makes what it needs.
    bool first_call() const {
        return common_.running != common_.incumbent && common_.following == 0 && !common_.tried.back().judged;
    }
    /// When this rank began and ended it, and whether it was its root; heard if measures().
    void took(Seconds entered, Seconds left, bool root = false) {
        if (common_.measures) own_.took(entered, left, root);
    }
    /// What its first call needs is yet to be made, and is paid: the incumbent serves this one, and others are
    /// tried until resume(). The same on all ranks.
    void postpone();
    void resume();
    /// It cannot serve: it is not tried any more. The same on all ranks.
    void drop(std::size_t arm);
    /// The calls of a challenger that would follow are not made. The same on all ranks.
    void end_visit();

    /// Enough was tried for the ranks to exchange their times, and the account pays for that in some way.
    bool settlement_due() const;
    /// It pays for that at once.
    bool affords_at_once() const { return affords_settlement(settlement_cost(Way::at_once)); }
    /// Somebody whose calls wait for it is expected to gain: what ranks find out sooner is worth their stopping.
    bool hastens() const;
    std::vector<double> own_roots() const { return own_.own_roots(terms_.measure); }
    std::vector<double> own_numbers(const std::vector<double>& roots) const {
        return own_.own_numbers(terms_.measure, roots);
    }
    /// What became of the incumbent.
    enum class News : std::uint8_t { none, replaced, confirmed, reopened };
    enum class Way : bool { at_once, in_rounds };
    News settle(const std::vector<double>& least, Way way = Way::at_once);

    /// Also for the times that were not settled yet. The same on all ranks.
    void measure_by(Measure measure) { terms_.measure = measure; }
    void settlements_take(Seconds at_once, Seconds in_rounds);

    const std::vector<Arm>& arms() const { return arms_; }
    std::size_t incumbent() const { return common_.incumbent; }
    /// Who was it before.
    std::size_t former() const { return common_.former; }
    /// Nobody is left to be tried.
    bool concluded() const { return common_.concluded; }
    /// What the incumbent's calls took when last looked at; 0: not known.
    Seconds seconds() const { return common_.seconds; }
    /// An arm's time over the incumbent's, as far as it was seen.
    std::optional<double> ratio(std::size_t arm) const;

private:
    static constexpr TournamentRules rules{};
    static constexpr long beats = Readings::beats, never = std::numeric_limits<long>::min() / 2;

    struct Standing {
        /// For good; until the tournament is opened again; its first call was made; what that needs is paid; is
        /// yet to be made.
        bool unable = false, out = false, started = false, paid = false, held = false;
        /// It had its first, short visit.
        bool glanced = false;
        /// Pairs that it is to have before it is judged again, and those that wait for a settlement.
        std::size_t goal = 1, waiting = 0;
        /// Beats on which it was judged since it was on all of them, so that pairs are of all beats alike.
        std::bitset<beats> judged_on = {};
        /// Its time over the incumbent's: seen, else expected.
        double ratio = 1;
        bool seen = false;
        /// `longest`: of longest stays, where the clock asks for them.
        std::vector<Pair> pairs = {}, longest = {};
    };
    /// A challenger's call that waits for a settlement.
    struct Tried {
        std::size_t arm;
        bool judged;
        double charged;
    };
    /// The same on all ranks. Costs are in calls of the incumbent.
    struct Common {
        std::vector<Standing> standings;
        std::size_t incumbent = 0, former = 0, running = 0;
        long calls = 0, settled_at = 0;
        double balance = 0;
        /// Calls of a challenger, with the one that is judged, that follow; what was taken from the account for
        /// them.
        long following = 0;
        double charged = 0;
        /// On each beat the last that pairs may be made with, and the last of all.
        std::array<long, beats> incumbents_call{};
        long latest_incumbent = never;
        std::vector<Tried> tried;
        /// Unknown ones that were tried since.
        int blind = 0;
        /// It was seen how far the model is off.
        bool model_seen = false;
        bool concluded = false, measures = true;
        Seconds seconds = 0;
        /// Against whom the winner is watched, and what that one took over it when that began.
        std::size_t opponent = 0;
        double watched_ratio = 0;
    };
    bool is_native(std::size_t arm) const { return arms_[arm].recipe.kind == Recipe::Kind::native; }
    /// What the account gets for a call.
    double income(long call) const;
    double in_calls(Seconds seconds, double unknown) const;
    double settlement_cost(Way way) const;
    double least_settlement_cost() const;
    /// Calls that promising ones have saved.
    double gained() const;
    bool affords_settlement(double cost) const;
    /// Its first visit, of two calls, by which caches are cold yet: it promises, or is forgotten; so is an accident.
    bool is_glance(std::size_t arm) const { return terms_.warm_up > 0 && !common_.standings[arm].glanced; }
    /// Calls of an arm, once it has started, whenever its turn comes.
    long visit(std::size_t arm) const { return is_glance(arm) ? 2 : 1 + terms_.warm_up; }
    /// What its next call may cost more than the incumbent's.
    double reserve(std::size_t arm) const;
    bool wants(std::size_t arm) const;
    /// The account, with so much more in it, pays for its next call; or that call is expected to gain, whatever was
    /// spent before.
    bool affords(std::size_t arm, double more = 0) const;
    /// It is yet to be judged, and so far was faster.
    bool promises(std::size_t arm) const;
    /// They speak of the operation, and not of who came late.
    bool trusts_times() const { return terms_.measure != Measure::longest_stay; }
    bool may_start_another() const;
    bool may_run(std::size_t arm, long call) const;
    std::size_t whose_turn(long call) const;
    bool leads(std::size_t arm) const;
    /// Against whom the winner is watched: native, else the best loser; the incumbent where there is none.
    std::size_t find_opponent() const;
    void take_in(const std::vector<double>& least);
    /// What those that were tried have cost, by what is typical: a processor that was taken away is no price of exploring.
    void charge(const std::vector<double>& expected);
    void correct_model();
    News judge();
    News watch();
    void promote(std::size_t winner);
    void halve();

    std::vector<Arm> arms_;
    Terms terms_;
    Common common_;
    Readings own_;
};

}  // namespace echelon
