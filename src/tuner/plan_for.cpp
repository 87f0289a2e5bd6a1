// SPDX-License-Identifier: Apache-2.0
#include "tuner/plan_for.hpp"

#include "cache/make_plan.hpp"
#include "mpi/clock.hpp"
#include "mpi/combination.hpp"
#include "mpi/open_window.hpp"
#include "tuner/choose.hpp"
#include "tuner/settle.hpp"
#include "tuner/use_startup_results.hpp"

#include <utility>

namespace echelon {
namespace {

Plan& make(Tuner& tuner, const PlanKey& key, Choice choice) {
    return make_plan(tuner.state(), key, std::move(choice), tuner.forced_recipe().active() != nullptr);
}

}  // namespace

Plan& postpone(Tuner& tuner, const PlanKey& key) {
    tuner.pending().decide(key);
    return make(tuner, key, {.recipe = {}, .source = Source::undecided});
}

namespace {

/// True if the source demands its recipe strictly. A forced recipe is strict too.
bool is_strict(Tuner& tuner, const PlanKey& key, Source source) {
    if (source == Source::hint)
        return tuner.hints().find(key.collective, key.count * key.element_size)->strict;
    if (source == Source::trial) return tuner.forced_recipe().active() != nullptr;
    return (source == Source::setting || source == Source::key) && tuner.settings().strict;
}

Plan& refused_plan(Tuner& tuner, const PlanKey& key, const std::string& refusal) {
    return make(tuner, key, {.recipe = {}, .source = Source::refused, .refusal = refusal});
}

/// Makes the plan of a choice. If the recipe cannot serve: the native plan, with the reason in `refusal`.
Plan& plan_of(Tuner& tuner, const PlanKey& key, Choice choice, std::string& refusal) {
    try {
        return make(tuner, key, std::move(choice));
    } catch (const MpiError&) {
        throw;
    } catch (const Error& error) {
        refusal = error.what();
    }
    return refused_plan(tuner, key, refusal);
}

/// The plan of the arm that serves the next call of a trial.
Plan& arms_plan(Tuner& tuner, const PlanKey& key, Plan& chosen, bool together) {
    Trial& trial = *chosen.trial;
    Tournament& tournament = trial.tournament;
    const std::size_t arm = trial.next();
    tuner.trials().note(key, trial);
    if (trial.due) tuner.pending().open();  // the ranks have timings to exchange
    if (arm == tournament.incumbent()) return chosen;
    PlanKey own = key;
    own.variant = {Variant::Kind::trial, std::uint16_t(arm)};
    if (Plan* const known = tuner.plans().find(own)) return *known;
    const Recipe& recipe = tournament.arms()[arm].recipe;
    if (!together && !tuner.own().lack(recipe, key.collective).empty()) {
        tournament.drop(arm);
        return chosen;
    }
    if (!together && !tuner.own().is_provided(recipe, key) && !tuner.own().provide_alone(recipe, key)) {
        tournament.postpone();
        tuner.pending().want(recipe, key);
        return chosen;
    }
    const bool at_root = chosen.at_root;
    if (tournament.first_call()) trial.began = now();
    std::string refusal;
    Plan& made = plan_of(tuner, own, {.recipe = recipe, .source = Source::trial}, refusal);
    made.trial = &trial;  // the trial continues if this arm drops out
    made.at_root = at_root;
    if (!refusal.empty() || tuner.own().lacks_windows(recipe, key.collective)) {
        tournament.drop(arm);
        trial.began.reset();
        trial.measures = false;
    }
    return made;
}

/// The plan of an earlier call, or of the next arm of its trial. Nullptr: there is none, or the countdown of
/// the class is over.
Plan* found_plan(Tuner& tuner, const PlanKey& key, bool together) {
    Plan* const known = tuner.plans().find(key);
    if (known == nullptr || known->left == nullptr) return known;
    if (--*known->left > 0) {
        if (known->trial != nullptr) known->trial->measures = false;
        return known;
    }
    if (known->trial != nullptr) return &arms_plan(tuner, key, *known, together);
    tuner.plans().erase(key);
    return nullptr;
}

Plan& made_plan(Tuner& tuner, const PlanKey& key, bool together);

std::string lack_of_windows(Bytes most) {
    return (memory_is_shared
                ? "ranks of a node cannot share memory here, or not more of it (ECHELON_WINDOW=" +
                      format_bytes(most) + ")"
                : std::string("simulated ranks share no memory")) +
           "; what would pass through it goes by messages";
}

/// Completes the plan of a choice that can serve; with a trial, returns the plan of the next arm.
Plan& served_plan(Tuner& tuner, const PlanKey& key, Plan& plan, Source source, bool together) {
    const bool lacks_windows = tuner.own().lacks_windows(plan.choice.recipe, key.collective);
    if (lacks_windows && source == Source::trial && tuner.forced_recipe().active() == nullptr &&
        tuner.trials().finding(key) == nullptr) {
        tuner.plans().erase(key);  // a trial does not replace shm by messages
        return made_plan(tuner, key, together);
    }
    if (lacks_windows) {
        const std::string sentence = lack_of_windows(tuner.settings().window);
        tuner.process().log().once(tuner.rank() == 0, sentence);
        tuner.process().reporter().note(sentence);
    }
    plan.at_root = tuner.rank() == key.root;
    plan.trial = trial_of(tuner, key, source);
    if (plan.trial == nullptr) return plan;
    plan.left = &plan.trial->left;
    return arms_plan(tuner, key, plan, together);
}

/// Returns the native plan and logs the refusal. Error: the source is strict.
Plan& unserved_plan(Tuner& tuner, const PlanKey& key, Plan& native, Source source,
                    const std::string& refusal) {
    const std::string sentence = std::string(name(key.collective)) + ": recipe " + refusal;
    if (is_strict(tuner, key, source)) {
        tuner.plans().erase(key);
        throw Refused(sentence);
    }
    tuner.process().log().once(tuner.rank() == 0 && source != Source::built_in,
                               sentence + "; the native collective runs instead where that is so");
    return native;
}

/// The choice for a call without a plan. Nullopt: `interim` serves until rank 0 may decide, or has to.
std::optional<Choice> choice_for(Tuner& tuner, const PlanKey& key, bool together, Plan*& interim) {
    // Pending work needs every call, on all ranks alike, if their reporters observe or not.
    if (!tuner.process().reporter().observes() && tuner.pending().is_empty() &&
        chooses_native_only(tuner, key.collective))
        tuner.plans().set_always_native(key.collective);
    std::optional<Choice> known = known_choice(tuner, key);
    if (!known && use_startup_results(tuner, key)) known = known_choice(tuner, key);
    if (known) return known;
    if (tuner.forced_recipe().together()) {
        tell(tuner, {key});
        return known_choice(tuner, key).value();
    }
    long& left = tuner.pending().countdown(key, native_calls_before_decision(tuner, key)).left;
    // Several plans of a class share the countdown, which can therefore fall below 0.
    const bool is_time = left <= 0;
    if (is_time && !together) {
        interim = &postpone(tuner, key);
        return std::nullopt;
    }
    if (is_time) {
        if (!tuner.async_broadcast().under_way()) tell(tuner, {key}, Telling::in_passing);
        if (auto choice = known_choice(tuner, key)) return choice;
    }
    const bool awaits_decision = is_time && tuner.async_broadcast().under_way();
    interim =
        &make(tuner, key, {.recipe = {}, .source = awaits_decision ? Source::undecided : Source::built_in});
    if (!awaits_decision) interim->left = &left;
    return std::nullopt;
}

Plan& made_plan(Tuner& tuner, const PlanKey& key, bool together) {
    if (!tuner.requests().settled()) return postpone(tuner, key);
    Plan* interim = nullptr;
    std::optional<Choice> choice = choice_for(tuner, key, together, interim);
    if (!choice) return *interim;
    std::string refusal = together ? "" : tuner.own().lack(choice->recipe, key.collective);
    if (!together && refusal.empty() && !tuner.own().is_provided(choice->recipe, key))
        return postpone(tuner, key);
    const Source source = choice->source;
    Plan& plan = refusal.empty() ? plan_of(tuner, key, std::move(*choice), refusal)
                                 : refused_plan(tuner, key, refusal);
    return refusal.empty() ? served_plan(tuner, key, plan, source, together)
                           : unserved_plan(tuner, key, plan, source, refusal);
}

Plan& planned(Tuner& tuner, const PlanKey& asked) {
    const bool together = asked.synchronises(tuner.size()) || tuner.forced_recipe().together();
    const bool counted = tuner.forced_recipe().active() == nullptr;
    if (together && !tuner.pending().is_empty()) {
        const Spending spending(tuner.process().reporter(), counted);
        settle(tuner, Telling::in_passing);
    } else if (asked.hands_out_from_0() && !tuner.pending().is_empty() && may_settle_from_0(tuner) &&
               tuner.pending().is_time_to_tell()) {
        const Spending spending(tuner.process().reporter(), counted);
        settle_from_0(tuner);
    }
    PlanKey key = asked;
    if (tuner.forced_recipe().active() != nullptr)
        key.variant = {Variant::Kind::override, tuner.forced_recipe().active()->number};
    if (Plan* const found = found_plan(tuner, key, together)) return *found;
    const Spending spending(tuner.process().reporter(), counted);
    return made_plan(tuner, key, together);
}

/// True for predefined handles, which never change. Others may be freed and reused.
bool is_predefined(const PassedCall& call) {
    const Element element = element_of(call.type);
    return element.kind != Element::Kind::other &&
           (call.op == MPI_OP_NULL || !combination_of(call.op, element).user_made);
}

}  // namespace

Plan& plan_for(Tuner& tuner, const PlanKey& key, const PassedCall& passed) {
    Plan& plan = planned(tuner, key);
    // Counted and traced calls are looked at, and calls that could settle pending work.
    const bool may_settle =
        key.synchronises(tuner.size()) || tuner.forced_recipe().together() || key.hands_out_from_0();
    const bool goes_on = plan.trial == nullptr || (plan.left != nullptr && *plan.left > 1);
    if (plan.native() && goes_on && !tuner.process().reporter().observes() &&
        (!may_settle || tuner.pending().is_empty()) && tuner.forced_recipe().active() == nullptr &&
        is_predefined(passed))
        tuner.plans().note_native(passed, plan.left);
    return plan;
}

}  // namespace echelon
