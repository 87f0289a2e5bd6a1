// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/recipe.hpp"
#include "tuner/course.hpp"
#include "tuner/rules.hpp"

#include <optional>
#include <vector>

namespace echelon {

/// Finds the fastest recipe for the calls of one class while the program runs, on rank 0 alone: it makes
/// agendas that all ranks follow, and evaluates their timings.
///
/// One recipe, the incumbent, serves the calls. Challengers serve a few, which are compared with calls of the
/// incumbent beside them. An account pays for the extra time of challengers and for the exchange of timings;
/// it grows with the calls of the class. Challengers are halved successively (Karnin, Koren and Somekh,
/// Almost optimal exploration in multi-armed bandits, 2013). The incumbent is replaced by evidence alone, and
/// the winner meets native again, ever more rarely.
class Trial {
public:
    struct Arm {
        Recipe recipe = {};
        /// By the model; 0: unknown. Only ratios count.
        Seconds expected = 0;
        /// Expected extra time of the first call, for the communicators and windows that it makes.
        Seconds setup = 0;
        /// Won elsewhere: it needs less proof.
        bool known = false;
        /// The expected time was measured shortly before.
        bool seen = false;
    };
    /// Meaning of the numbers of Course. `one_clock`: the time from the last arrival to the last departure.
    /// `own_clocks`: the shortest stay of a rank, which is the stay of the last rank if all wait for all.
    /// `blocks`: the time of the program in blocks of calls, averaged over the ranks.
    enum class Evidence : std::uint8_t { one_clock, own_clocks, blocks };
    struct Terms {
        Evidence evidence = Evidence::own_clocks;
        /// Share of the time in calls of the class that trials may cost; in the first calls.
        double share = 0.05, first_share = rules.first_share;
        /// The model of the expected times was compared with calls on this machine.
        bool calibrated = false;
        /// Factor by which an arm may take longer than expected.
        double doubt = rules.doubt;
        /// Expected time of an exchange of timings, on the scale of the arms' expected times.
        Seconds exchange = 0;
        /// Number of calls before a measured one, for calls so short that their time depends on caches.
        long warm = 0;
        /// Number of calls between two synchronising calls of the program; 0: unknown.
        long rhythm = 0;
        int ranks = 1;
    };
    /// The first arm is the incumbent. Requires: at least two arms.
    Trial(std::vector<Arm> arms, const Terms& terms);

    /// The last known Terms::rhythm.
    void set_rhythm(long calls) { terms_.rhythm = calls; }
    /// The next calls; an empty agenda if native has won.
    Agenda next();
    enum class Verdict : std::uint8_t { none, replaced, confirmed, reopened };
    /// Evaluates the last agenda. `reduced`: minima or sums of Course::numbers() over the ranks. `unable`:
    /// numbers of arms that could not serve, a bit each. `exchange`: measured time of the exchange; 0:
    /// unknown.
    Verdict take(const std::vector<double>& reduced, std::uint64_t unable, Seconds exchange);

    const std::vector<Arm>& arms() const { return arms_; }
    std::size_t incumbent() const { return incumbent_; }
    /// The incumbent before the last replacement.
    std::size_t former() const { return former_; }
    /// True if no challenger is left.
    bool is_settled() const { return settled_; }
    /// Time of the incumbent's calls at the last exchange; 0: unknown.
    Seconds seconds() const { return seconds_; }
    /// Measured time of an arm over the incumbent's; nullopt: not measured.
    std::optional<double> ratio(std::size_t arm) const;

private:
    struct Standing {
        /// `unable`: out for good. `out`: out until the trial reopens. `seen`: it was measured.
        bool unable = false, out = false, seen = false;
        /// Number of pairs before the next judgement.
        std::size_t goal = 1;
        /// Its time over the incumbent's: measured, else expected.
        double ratio = 1;
        std::vector<double> pairs = {};
    };
    bool blocks() const { return terms_.evidence == Evidence::blocks; }
    bool is_native(std::size_t arm) const { return arms_[arm].recipe.kind == Recipe::Kind::native; }
    double in_calls(Seconds seconds) const;
    double exchange_price() const;
    bool wants(std::size_t arm) const;
    bool first_look(std::size_t arm) const { return !standings_[arm].seen; }
    /// True if the rhythm is known and short enough for blocks.
    bool has_rhythm() const;
    /// At least so many calls, in whole rhythms.
    long in_rhythm(long calls) const;
    /// True if calls of the arm were made.
    bool is_started(std::size_t arm) const { return arm == 0 || is_native(arm) || standings_[arm].seen; }
    long warm(std::size_t arm) const;
    long visit(std::size_t arm) const;
    /// Calls of the arm in one round of its next visits.
    double calls_in_round(std::size_t arm) const;
    /// Expected extra cost of a round; negative: it gains.
    double price(std::size_t arm) const;
    /// The part of the share that the account earns.
    double part() const { return settled_ ? rules.watch_part : 1; }
    /// Number of calls until the account has earned `missing`.
    long calls_to_earn(double missing) const;
    void earn(long calls);
    std::size_t cheapest() const;
    void record(const std::vector<double>& reduced);
    bool leads(std::size_t arm) const;
    Verdict judge();
    Verdict watch();
    void promote(std::size_t winner);
    void halve();
    std::size_t opponent() const;
    std::size_t serving() const;

    std::vector<Arm> arms_;
    Terms terms_;
    std::vector<Standing> standings_;
    Agenda agenda_;
    std::size_t incumbent_ = 0, former_ = 0;
    double balance_ = 0, calls_ = 0, watched_ratio_ = 0;
    bool settled_ = false;
    Seconds seconds_ = 0, exchange_ = 0;
};

}  // namespace echelon
