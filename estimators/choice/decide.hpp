// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/standard_arithmetic.hpp"
#include "estimators/choice/judge.hpp"
#include "estimators/choice/policy.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace echelon {

struct Decision {
    Recipe recipe;
    /// Expected time of `recipe`; 0 if unknown.
    Seconds expected = 0;
    Basis basis = Basis::model;
    /// All candidates, the chosen one first, then by `at_worst()`.
    std::vector<Candidate> ranked;
    /// Expected time of the native collective; 0 if unknown.
    Seconds native = 0;
    /// A recipe expected to be faster still, but never measured although others were: a trial has to confirm
    /// it.
    std::optional<Recipe> challenger = {};
};

/// Decides for the calls on communicators of one placement. Ranks with the same profile and placement decide
/// alike. A new size takes milliseconds; a known size
/// takes nanoseconds (bench/decision.cpp). Thread-safe: a mutex serializes the calls.
class Decider {
public:
    /// A profile without parameters decides by its samples alone. Precomputed decisions of the profile are
    /// taken over. `width` (few or best) sets how widely candidates are searched; with `few` no recipe is
    /// replayed as a whole, because a replay adds nothing for an unmeasured machine. `company`: communicators
    /// that call concurrently, which the choice takes into account; nullptr if none is known.
    Decider(std::shared_ptr<const Profile> profile, Placement placement, Width width = Width::best,
            const Company* company = nullptr);

    /// Writing a reason for every candidate takes longer than the decision.
    enum class Reasons { told, left_out };
    Decision decide(Collective collective, Bytes bytes, Operation operation, Policy policy = Policy::model,
                    Reasons reasons = Reasons::told);
    /// The choice for a call, and its rivals: the challenger, and the cheapest recipes of other classes whose
    /// time at best is below that of the chosen one. With width `few` two recipes of a class may be rivals.
    struct Chosen {
        Recipe recipe = {};
        std::vector<Recipe> rivals = {};
        /// Times of the recipe and of native if measured or interpolated between measured sizes, else 0.
        Seconds seconds = 0, native_seconds = 0;
        /// Expected time of a call alone, and the factor of a call in a program on it.
        struct Time {
            Recipe recipe;
            Seconds alone;
            double pace;
        };
        /// Times of the recipe, native and rivals, as far as known without further replays.
        std::vector<Time> times = {};
    };
    /// Decided once per size class. The reference stays valid.
    const Chosen& chosen(Collective collective, Bytes bytes, Operation operation, Policy policy);
    /// Expected time of the native collective, measured here or estimated from other communicators; 0 if
    /// unknown.
    Seconds native(Collective collective, Bytes bytes);
    /// Ground of chosen(), the cheapest to evaluate first: an earlier choice, measurements around the size,
    /// replays.
    enum class Ground : std::uint8_t { decided, measured, model };
    Ground ground(Collective collective, Bytes bytes, Operation operation, Policy policy);
    /// See Judge::fastest_measured().
    Seconds fastest_measured(Collective collective, Bytes bytes);
    /// The size whose decision holds for a call: eight sizes per power of two, and one for all below 128
    /// bytes, which latency dominates.
    static Bytes size_class(Bytes bytes);

    /// Number of groups of the best shape; 1 if a flat algorithm is expected to be as fast.
    int best_groups(Collective collective, Bytes bytes, Operation operation);
    /// Candidates to measure for a call: the best few of the model, corrected by measurements, with at least
    /// one of each class, without certain losers. Ranked by expected time; native is not among them.
    std::vector<Candidate> shortlist(Collective collective, Bytes bytes, Operation operation,
                                     std::size_t most);
    /// Every candidate, the cheapest first.
    std::vector<Candidate> all(Collective collective, Bytes bytes, Operation operation);
    /// Time by a replay; for a recipe with very many messages, the sum of its phases. Returns nullopt for
    /// recipes with native parts or that cannot serve.
    std::optional<Seconds> predicted(const Recipe& recipe, Collective collective, Bytes bytes,
                                     Operation operation);
    /// True if the model has a time for the recipe. Native parts have one if native was measured on ranks
    /// placed alike.
    bool has_price(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation);
    /// Expected time of a recipe by model and measurement; 0 if unknown. Returns at once if the call's class
    /// is decided and the recipe's time is part of that decision.
    Seconds expected(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation);
    /// expected(), as a program sees it: the mean, in the logarithm, of a call alone, and of one in a row of
    /// calls if ranks may leave it early, and beside concurrent communicators if a precomputed decision knows
    /// them. Native is taken to overlap like a usual algorithm, and to be as fast if its time is unknown.
    Seconds in_a_program(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation);
    /// A flat algorithm with the best segments of the model.
    Recipe flat(const Algorithm& row, Bytes bytes);
    /// The recipe that a policy other than `model` names; nullopt if it has no opinion.
    std::optional<Recipe> named(Policy policy, Collective collective, Bytes bytes, Operation operation);

    const Profile& profile() const { return judge_.profile(); }
    const Placement& placement() const { return judge_.placement(); }
    const std::string& layout() const { return judge_.layout(); }
    /// See Judge::not_measured().
    std::string_view not_measured() const { return judge_.not_measured(); }

private:
    struct Asked {
        Collective collective;
        Bytes bytes;
        bool in_order, exact;
        Policy policy;
        auto operator<=>(const Asked&) const = default;
    };
    static Asked asked(Collective collective, Bytes bytes, Operation operation, Policy policy) {
        return {collective, size_class(bytes), operation.in_order, operation.exact, policy};
    }
    /// Time of a recipe in an earlier decision; nullptr if there is none.
    const Chosen::Time* decided(const Recipe& recipe, const Asked& asked) const;
    /// True if a call in a program may take another time than one alone.
    bool overlaps(Collective collective) const;
    /// Factor of a call in a program on a call alone; nullopt if unknown.
    std::optional<double> pace(const Recipe& recipe, const Asked& asked);
    /// Sets the pace of the candidates, if rows of native calls were measured or concurrent communicators are
    /// known: of all with measured rows, and of the most promising others by the model. The rest is taken to
    /// be as slow as the slowest of these.
    void set_paces(std::vector<Candidate>& list, Collective collective, Bytes bytes, Operation operation);
    Chosen choose(const Asked& asked);
    /// The judge's candidates, with the times of the model from outside, if there is one.
    std::vector<Candidate> advised(Collective collective, Bytes bytes, Operation operation);
    void ask_outside(Candidate& one, Collective collective, Bytes bytes) const;
    const Chosen* of_exact_ones(Asked asked) const;
    /// Position of a recipe in the list; inserts a missing recipe at the front.
    std::vector<Candidate>::iterator place_of(const Recipe& recipe, std::vector<Candidate>& list,
                                              Collective collective, Bytes bytes, Operation operation);

    /// A call's turn. A program may let the processor trap what is an infinity or no number here.
    struct Turn {
        explicit Turn(std::recursive_mutex& mutex) : lock(mutex) {}
        std::scoped_lock<std::recursive_mutex> lock;
        StandardArithmetic arithmetic;
    };

    std::recursive_mutex mutex_;
    std::map<Asked, Chosen> chosen_;
    Judge judge_;
    Width width_;
};

}  // namespace echelon
