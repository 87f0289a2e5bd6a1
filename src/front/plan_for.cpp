// SPDX-License-Identifier: Apache-2.0
#include "front/plan_for.hpp"

#include "cache/make_plan.hpp"
#include "front/choose.hpp"
#include "front/errors.hpp"
#include "front/follow_lead.hpp"
#include "front/settle.hpp"
#include "mpi/clock.hpp"
#include "mpi/combination.hpp"
#include "mpi/open_window.hpp"

namespace echelon {

Plan& postpone(State& state, const PlanKey& key) {
    state.agenda().decide(key);
    return make_plan(state, key, {.recipe = {}, .source = Source::undecided});
}

namespace {

/// Whether what is asked for stands in the recipes of a strict source; whoever measures a recipe means it, too.
bool is_strict(State& state, const PlanKey& key, Source source) {
    if (source == Source::hint)
        return state.hints().find(key.collective, key.count * key.element_size)->strict;
    if (source == Source::trial) return state.meanwhile().instead() != nullptr;
    return (source == Source::setting || source == Source::key) && state.process().settings().strict;
}

Plan& refused_plan(State& state, const PlanKey& key, const std::string& refusal) {
    return make_plan(state, key, {.recipe = {}, .source = Source::refused, .refusal = refusal});
}

/// Makes the plan of a choice; where that cannot serve, of native, with the reason in `refusal`.
Plan& plan_of(State& state, const PlanKey& key, Choice choice, std::string& refusal) {
    try {
        return make_plan(state, key, std::move(choice));
    } catch (const MpiError&) {
        throw;
    } catch (const Error& error) {
        refusal = error.what();
    }
    return refused_plan(state, key, refusal);
}

/// A call that is part of a tournament: the plan of the arm whose turn it is.
Plan& arms_plan(State& state, const PlanKey& key, Plan& chosen, bool together) {
    Contest& contest = *chosen.contest;
    Tournament& tournament = contest.tournament;
    const std::size_t arm = contest.next();
    state.contests().note(key, contest);
    if (contest.waits) state.agenda().open();  // the ranks have times to exchange
    if (arm == tournament.incumbent()) return chosen;
    PlanKey own = key;
    own.variant = {Variant::Kind::trial, std::uint16_t(arm)};
    if (Plan* const known = state.plans().find(own)) return *known;
    const Recipe& recipe = tournament.arms()[arm].recipe;
    if (!together && !state.own().lack(recipe, key.collective).empty()) {
        tournament.drop(arm);
        return chosen;
    }
    if (!together && !state.own().is_provided(recipe, key) && !state.own().provide_alone(recipe, key)) {
        tournament.postpone();
        state.agenda().make(recipe, key);
        return chosen;
    }
    const bool at_root = chosen.at_root;
    if (tournament.first_call()) contest.began = now();
    std::string refusal;
    Plan& made = plan_of(state, own, {.recipe = recipe, .source = Source::trial}, refusal);
    made.contest = &contest;  // goes on, whatever becomes of this arm
    made.at_root = at_root;
    if (!refusal.empty() || state.own().lacks_windows(recipe, key.collective)) {
        tournament.drop(arm);
        contest.began.reset();
        contest.measures = false;
    }
    return made;
}

/// The plan that is there for such calls, or for the arm whose turn it is; nullptr: there is none, or somebody has to think again.
Plan* found_plan(State& state, const PlanKey& key, bool together) {
    Plan* const known = state.plans().find(key);
    if (known == nullptr || known->left == nullptr) return known;
    if (--*known->left > 0) {
        if (known->contest != nullptr) known->contest->measures = false;
        return known;
    }
    if (known->contest != nullptr) return &arms_plan(state, key, *known, together);
    state.plans().erase(key);
    return nullptr;
}

Plan& made_plan(State& state, const PlanKey& key, bool together);

std::string lack_of_windows(Bytes most) {
    return (memory_is_shared
                ? "ranks of a node cannot share memory here, or not more of it (ECHELON_WINDOW=" +
                      format_bytes(most) + ")"
                : std::string("simulated ranks share no memory")) +
           "; what would pass through it goes by messages";
}

/// What was chosen can be had: the plan of it, or of the arm whose turn it is.
Plan& served_plan(State& state, const PlanKey& key, Plan& plan, Source source, bool together) {
    const bool lacks_windows = state.own().lacks_windows(plan.choice.recipe, key.collective);
    if (lacks_windows && source == Source::trial && state.meanwhile().instead() == nullptr &&
        state.contests().finding(key) == nullptr) {
        state.plans().erase(key);  // nobody has asked for it
        return made_plan(state, key, together);
    }
    if (lacks_windows) {
        const std::string sentence = lack_of_windows(state.process().settings().window);
        state.process().say().once(state.rank() == 0, sentence);
        state.process().reporter().note(sentence);
    }
    plan.at_root = state.rank() == key.root;
    plan.contest = contest_of(state, key, source);
    if (plan.contest == nullptr) return plan;
    plan.left = &plan.contest->left;
    return arms_plan(state, key, plan, together);
}

/// What was chosen cannot serve: native instead, and a sentence. Error: where it was asked for strictly.
Plan& unserved_plan(State& state, const PlanKey& key, Plan& native, Source source,
                    const std::string& refusal) {
    const std::string sentence = std::string(name(key.collective)) + ": recipe " + refusal;
    if (is_strict(state, key, source)) {
        state.plans().erase(key);
        throw Refused(sentence);
    }
    state.process().say().once(state.rank() == 0 && source != Source::built_in,
                               sentence + "; the native collective runs instead where that is so");
    return native;
}

/// What is to run for calls that have no plan; nullopt: `waits` runs, as long as nobody may or need think.
std::optional<Choice> choice_for(State& state, const PlanKey& key, bool together, Plan*& waits) {
    // Who has something to settle looks at all calls, on all ranks, whether they observe or not.
    if (!state.process().reporter().observes() && state.agenda().is_empty() &&
        chooses_native_only(state, key.collective))
        state.plans().set_always_native(key.collective);
    std::optional<Choice> known = known_choice(state, key);
    if (!known && follow_lead(state, key)) known = known_choice(state, key);
    if (known) return known;
    if (state.meanwhile().together()) {
        tell(state, {key});
        return known_choice(state, key).value();
    }
    long& left = state.agenda().patience(key, calls_before_thinking(state, key)).left;
    // Below 0 where calls of one class have several plans, which count together.
    const bool waited = left <= 0;
    if (waited && !together) {
        waits = &postpone(state, key);
        return std::nullopt;
    }
    if (waited) {
        if (!state.handout().under_way()) tell(state, {key}, Telling::in_passing);
        if (auto choice = known_choice(state, key)) return choice;
    }
    const bool listens = waited && state.handout().under_way();
    waits = &make_plan(state, key, {.recipe = {}, .source = listens ? Source::undecided : Source::built_in});
    if (!listens) waits->left = &left;
    return std::nullopt;
}

Plan& made_plan(State& state, const PlanKey& key, bool together) {
    if (!state.requests().settled()) return postpone(state, key);
    Plan* waits = nullptr;
    std::optional<Choice> choice = choice_for(state, key, together, waits);
    if (!choice) return *waits;
    std::string refusal = together ? "" : state.own().lack(choice->recipe, key.collective);
    if (!together && refusal.empty() && !state.own().is_provided(choice->recipe, key))
        return postpone(state, key);
    const Source source = choice->source;
    Plan& plan = refusal.empty() ? plan_of(state, key, std::move(*choice), refusal)
                                 : refused_plan(state, key, refusal);
    return refusal.empty() ? served_plan(state, key, plan, source, together)
                           : unserved_plan(state, key, plan, source, refusal);
}

Plan& planned(State& state, const PlanKey& asked) {
    const bool together = asked.synchronises(state.size()) || state.meanwhile().together();
    const bool counted = state.meanwhile().instead() == nullptr;
    if (together && !state.agenda().is_empty()) {
        const Spending spending(state.process().reporter(), counted);
        settle(state, Telling::in_passing);
    } else if (asked.hands_out_from_0() && !state.agenda().is_empty() && may_settle_from_0(state) &&
               state.agenda().is_time_to_tell()) {
        const Spending spending(state.process().reporter(), counted);
        settle_from_0(state);
    }
    PlanKey key = asked;
    if (state.meanwhile().instead() != nullptr)
        key.variant = {Variant::Kind::override, state.meanwhile().instead()->number};
    if (Plan* const found = found_plan(state, key, together)) return *found;
    const Spending spending(state.process().reporter(), counted);
    return made_plan(state, key, together);
}

/// Handles that always mean the same. Others may be freed and come back as something else.
bool is_predefined(const PassedCall& call) {
    const Element element = element_of(call.type);
    return element.kind != Element::Kind::other &&
           (call.op == MPI_OP_NULL || !combination_of(call.op, element).user_made);
}

}  // namespace

Plan& plan_for(State& state, const PlanKey& key, const PassedCall& passed) {
    Plan& plan = planned(state, key);
    // Not where calls are counted or traced, or this one could settle what waits for that.
    const bool may_settle =
        key.synchronises(state.size()) || state.meanwhile().together() || key.hands_out_from_0();
    const bool goes_on = plan.contest == nullptr || (plan.left != nullptr && *plan.left > 1);
    if (plan.native() && goes_on && !state.process().reporter().observes() &&
        (!may_settle || state.agenda().is_empty()) && state.meanwhile().instead() == nullptr &&
        is_predefined(passed))
        state.plans().note_native(passed, plan.left);
    return plan;
}

}  // namespace echelon
