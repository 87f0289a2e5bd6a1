// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/judge.hpp"
#include "estimators/choice/policy.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace echelon {

struct Decision {
    Recipe recipe;
    /// What it takes; 0 if nothing is known.
    Seconds expected = 0;
    Basis basis = Basis::model;
    /// All candidates, the chosen one first, then by expected time.
    std::vector<Candidate> ranked;
    /// The native collective's; 0 if it was never measured.
    Seconds native = 0;
    /// What is expected to be faster still, but was never measured where others were: a trial has to show it.
    std::optional<Recipe> challenger = {};
};

/// Decides for the calls on communicators of one placement. Alike on all ranks that hold the same profile and
/// placement. A new size costs some 3 ms at p = 512 where recipes were measured on both sides of it, else some 30
/// (bench/decision.cpp), one that is known already nanoseconds.
/// Several threads may ask; one at a time is answered.
class Decider {
public:
    /// A profile without parameters decides by its samples alone; what it foresees is decided. `width` (few or best): how widely decisions look;
    /// with `few` no recipe is replayed as a whole, which tells no more of a machine that nobody measured.
    /// `company`: who else calls at the same time, which a choice has to stand, too; nullptr: nobody is known to.
    Decider(std::shared_ptr<const Profile> profile, Placement placement, Width width = Width::best,
            const Company* company = nullptr);

    /// Sentences for all candidates take longer than the decision.
    enum class Reasons { told, left_out };
    Decision decide(Collective collective, Bytes bytes, Operation operation, Policy policy = Policy::model,
                    Reasons reasons = Reasons::told);
    /// What holds for a call, and what could be better by what is not known exactly: the challenger, and the
    /// cheapest of other classes whose time, at its best, is below the chosen one's; where the width is few, two of a class.
    struct Chosen {
        Recipe recipe = {};
        std::vector<Recipe> rivals = {};
        /// Of the recipe and of native, measured or between measured sizes; else 0.
        Seconds seconds = 0, native_seconds = 0;
        /// Of those, what needs no other replay to say what it takes.
        std::vector<std::pair<Recipe, Seconds>> times = {};
    };
    /// Decided once for each size class.
    const Chosen& chosen(Collective collective, Bytes bytes, Operation operation, Policy policy);
    /// What the native collective takes, measured here or guessed from what was measured elsewhere; 0: nothing is known of it.
    Seconds native(Collective collective, Bytes bytes);
    /// What chosen() goes by, the cheapest first: what it has chosen before, what was measured around that size, replays.
    enum class Ground : std::uint8_t { decided, measured, model };
    Ground ground(Collective collective, Bytes bytes, Operation operation, Policy policy);
    /// As the judge's.
    Seconds fastest_measured(Collective collective, Bytes bytes);
    /// The size whose decision holds for a call: eight to each power of two, and one for all below 128 bytes, where latency is all.
    static Bytes size_class(Bytes bytes);

    /// The number of groups of the best shape, 1 if a flat algorithm is expected to be as fast.
    int best_groups(Collective collective, Bytes bytes, Operation operation);
    /// What to measure for such calls: the best few of the model, corrected by what is known already, with at
    /// least one of each class, without what would certainly lose. Ranked.
    std::vector<Candidate> shortlist(Collective collective, Bytes bytes, Operation operation,
                                     std::size_t most);
    /// Every candidate there is, the cheapest first.
    std::vector<Candidate> all(Collective collective, Bytes bytes, Operation operation);
    /// What a replay says of a recipe; of one with very many messages, the sum of its phases.
    std::optional<Seconds> predicted(const Recipe& recipe, Collective collective, Bytes bytes,
                                     Operation operation);
    /// The same of native parts, too, as far as native was measured on ranks that sit like theirs.
    bool has_price(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation);
    /// What a recipe is expected to take by model and measurement; 0 where nothing is known of it. At once where such calls
    /// were decided, and it was measured or replayed for that.
    Seconds expected(const Recipe& recipe, Collective collective, Bytes bytes, Operation operation);
    /// The recipe that a policy other than model names, if it has an opinion.
    std::optional<Recipe> named(Policy policy, Collective collective, Bytes bytes, Operation operation);

    const Profile& profile() const { return judge_.profile(); }
    const Placement& placement() const { return judge_.placement(); }
    const std::string& layout() const { return judge_.layout(); }
    /// As the judge's.
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
    Chosen choose(const Asked& asked);
    const Chosen* of_exact_ones(Asked asked) const;
    /// Where a recipe stands in the list; first, if it did not stand there.
    std::vector<Candidate>::iterator place_of(const Recipe& recipe, std::vector<Candidate>& list,
                                              Collective collective, Bytes bytes, Operation operation);

    std::recursive_mutex mutex_;
    std::map<Asked, Chosen> chosen_;
    Judge judge_;
    Width width_;
};

}  // namespace echelon
