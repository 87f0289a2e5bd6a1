// SPDX-License-Identifier: Apache-2.0
#include "tuner/plan_for.hpp"

#include "cache/make_plan.hpp"
#include "mpi/clock.hpp"
#include "mpi/combination.hpp"
#include "mpi/open_window.hpp"
#include "tuner/decide.hpp"
#include "tuner/mail.hpp"
#include "tuner/requests.hpp"
#include "tuner/when_to_decide.hpp"

#include <utility>

namespace echelon {
namespace {

Plan& make(Tuner& tuner, const PlanKey& key, Choice choice) {
    if (key.variant.kind == Variant::Kind::started)
        return make_started_plan(tuner.state(), key, std::move(choice));
    return make_plan(tuner.state(), key, std::move(choice), tuner.measured() != nullptr);
}

/// True if a call that the recipe cannot serve is an error. A measured recipe is strict, too.
bool is_strict(Tuner& tuner, const PlanKey& key) {
    if (tuner.measured() != nullptr) return true;
    const Requested* const request = tuner.table().find_requested(key);
    return request != nullptr && request->strict;
}

/// Makes the plan of a choice. If there is a refusal, or the recipe cannot serve: the native plan, with the
/// reason in `refusal`.
Plan& plan_or_refusal(Tuner& tuner, const PlanKey& key, Choice choice, std::string& refusal) {
    try {
        if (refusal.empty()) return make(tuner, key, std::move(choice));
    } catch (const MpiError&) {
        throw;
    } catch (const Error& error) {
        refusal = error.what();
    }
    return make(tuner, key, {.recipe = {}, .source = Source::refused, .refusal = refusal});
}

/// The plan of an arm of a trial; `chosen` if the arm cannot serve.
Plan& arms_plan(Tuner& tuner, const PlanKey& key, CallState& calls, Plan& chosen, std::size_t arm,
                bool together) {
    if (arm == calls.course.incumbent() || (calls.unable >> arm & 1) != 0) return chosen;
    PlanKey own = key;
    own.variant = {Variant::Kind::trial, std::uint16_t(arm)};
    if (Plan* const known = tuner.plans().find(own)) return *known;
    const Recipe recipe = tuner.table().find(key)->arms[arm];
    const std::uint64_t bit = std::uint64_t(1) << arm;
    if (!together &&
        (!tuner.own().lack(recipe, key.collective).empty() || !tuner.own().is_provided(recipe, key))) {
        calls.unable |= bit;
        return chosen;
    }
    std::string refusal;
    Plan& made = plan_or_refusal(tuner, own, {.recipe = recipe, .source = Source::trial}, refusal);
    // An arm that cannot serve has a native plan for this call: the plan of the choice may be gone with a
    // division.
    if (!refusal.empty() || tuner.own().lacks_windows(recipe, key.collective))
        calls.unable |= bit;
    else
        made.counter = &calls;
    return made;
}

/// Counts a call of a plan, and returns the plan that serves it; nullptr: another choice is needed.
Plan* next_plan(Tuner& tuner, const PlanKey& key, Plan& chosen, bool together) {
    if (chosen.counter == nullptr || --chosen.counter->left > 0) return &chosen;
    CallState& calls = static_cast<CallState&>(*chosen.counter);
    if (calls.stage == Stage::counting) {
        tuner.plans().erase(key);
        ++calls.left;  // taken by the plan that serves this call
        return nullptr;
    }
    if (calls.stage == Stage::untried) {
        ask(tuner, calls);
        return &chosen;
    }
    const bool was_done = calls.course.is_done();
    const std::size_t arm = calls.course.next(calls, now());
    if (calls.course.is_done() && !was_done) {
        tuner.mail().due.push_back(tuner.classes().of(key));
        tuner.open_mail();
    }
    return &arms_plan(tuner, key, calls, chosen, arm, together);
}

/// The state of the class of a call; a new one counts native calls first.
CallState& state_of(Tuner& tuner, const PlanKey& key) {
    const auto [found, is_new] = tuner.calls().try_emplace(tuner.classes().of(key));
    CallState& calls = found->second;
    if (!is_new) return calls;
    calls.key = key;
    calls.key.variant = {};
    calls.key.root = 0;
    if (!key.own_lengths()) calls.key.lengths = {};
    calls.counted = native_calls_first(tuner, key);
    calls.grant(calls.counted + 1);
    calls.since = now();
    calls.decided = tuner.shared().allowance().spent();
    return calls;
}

/// The state of a class that has a decision, if rank 0 looks at it again; else nullptr.
CallState* watched(Tuner& tuner, const PlanKey& key, Source source) {
    if (tuner.measured() != nullptr || tuner.table().find_requested(key) != nullptr) return nullptr;
    const Row* const row = tuner.table().find(key);
    if (row == nullptr || row->choice.source != source || source == Source::profile_rule) return nullptr;
    const auto known = tuner.calls().find(tuner.classes().of(key));
    if (known != tuner.calls().end()) {
        CallState& calls = known->second;
        // Rank 0 postponed a second look, or a decision came while native calls were counted.
        if (calls.stage == Stage::counting) calls.stage = Stage::untried;
        const bool over = calls.stage == Stage::fixed && !calls.asks && calls.course.calls() == 0;
        return over ? nullptr : &calls;
    }
    if (row->found() || !may_be_tried(tuner, key)) return nullptr;
    CallState& calls = state_of(tuner, key);
    calls.stage = Stage::untried;
    return &calls;
}

Plan& new_plan(Tuner& tuner, const PlanKey& key, bool together);

std::string lack_of_windows(Bytes most) {
    return (memory_is_shared
                ? "ranks of a node cannot share memory here, or not more of it (ECHELON_WINDOW=" +
                      format_bytes(most) + ")"
                : std::string("simulated ranks share no memory")) +
           "; what would pass through it goes by messages";
}

/// Completes the plan of a choice that can serve.
Plan& served_plan(Tuner& tuner, const PlanKey& key, Plan& plan, Source source, bool together) {
    if (tuner.own().lacks_windows(plan.choice.recipe, key.collective)) {
        if (source == Source::startup) {
            tuner.plans().erase(key);  // a trial does not replace shm by messages
            return new_plan(tuner, key, together);
        }
        const std::string sentence = lack_of_windows(tuner.settings().window);
        tuner.process().log().once(tuner.rank() == 0, sentence);
        tuner.process().reporter().note(sentence);
    }
    plan.counter = watched(tuner, key, source);
    return *next_plan(tuner, key, plan, together);
}

/// Returns the native plan and logs the refusal. Error: the source is strict.
Plan& unserved_plan(Tuner& tuner, const PlanKey& key, Plan& native, Source source,
                    const std::string& refusal) {
    const std::string sentence = std::string(name(key.collective)) + ": " + refusal;
    if (is_strict(tuner, key)) {
        tuner.plans().erase(key);
        throw Refused(sentence);
    }
    tuner.process().log().once(tuner.rank() == 0 && source != Source::built_in,
                               sentence + "; the native collective runs instead");
    return native;
}

/// The native plan of a call whose class counts, or asks.
Plan& interim_plan(Tuner& tuner, const PlanKey& key, CallState& calls) {
    Plan& plan =
        make(tuner, key, {.recipe = {}, .source = calls.asks ? Source::undecided : Source::built_in});
    plan.counter = &calls;
    --calls.left;
    return plan;
}

/// The choice that every rank knows by itself.
std::optional<Choice> choice_at_once(Tuner& tuner, const PlanKey& key) {
    std::optional<Choice> known = known_choice(tuner, key);
    if (known || tuner.table().find(key) != nullptr) return known;
    auto found = startup_decision(tuner, key);
    if (!found) return std::nullopt;
    tuner.table().put({.key = key, .choice = std::move(found->choice)});
    return known_choice(tuner, key);
}

/// The choice for a call without a plan: known to every rank, or rank 0 decides (answer() calls decide.hpp).
/// Nullopt: an interim plan serves until rank 0 has decided.
std::optional<Choice> choice_for(Tuner& tuner, const PlanKey& key, bool together) {
    // Awaited messages need every call, on all ranks alike, if their reporters observe or not.
    if (!tuner.process().reporter().observes() && !tuner.mail().open &&
        chooses_native_only(tuner, key.collective))
        tuner.plans().set_always_native(key.collective);
    if (std::optional<Choice> known = choice_at_once(tuner, key)) return known;
    CallState& calls = state_of(tuner, key);
    // While no answer can come, calls need not take part in messages.
    if (calls.left <= 1 && key.own_lengths() && !tuner.mail().reaches) calls.grant(calls.made() + 2);
    if (calls.left <= 1 || tuner.together()) {
        ask(tuner, calls);
        if (together && !tuner.mail().down.under_way()) answer(tuner);
    }
    return known_choice(tuner, key);
}

Plan& new_plan(Tuner& tuner, const PlanKey& key, bool together) {
    if (!tuner.requests().settled()) return make(tuner, key, {.recipe = {}, .source = Source::undecided});
    std::optional<Choice> choice = choice_for(tuner, key, together);
    if (!choice) return interim_plan(tuner, key, state_of(tuner, key));
    std::string refusal = together ? "" : tuner.own().lack(choice->recipe, key.collective);
    if (!together && refusal.empty() && !tuner.own().is_provided(choice->recipe, key) &&
        !tuner.own().provide_alone(choice->recipe, key)) {
        tuner.wait_for_parts(choice->recipe, key);
        return make(tuner, key, {.recipe = {}, .source = Source::undecided});
    }
    const Source source = choice->source;
    Plan& plan = plan_or_refusal(tuner, key, std::move(*choice), refusal);
    return refusal.empty() ? served_plan(tuner, key, plan, source, together)
                           : unserved_plan(tuner, key, plan, source, refusal);
}

Plan& known_or_new_plan(Tuner& tuner, const PlanKey& asked) {
    const bool together = asked.synchronises(tuner.size()) || tuner.may_wait();
    const bool counted = tuner.measured() == nullptr;
    if (together || (pattern(asked.collective) == Pattern::from_root && !asked.own_lengths()))
        tuner.mail().reaches = true;
    if (tuner.mail().open) {
        const Spending spending(tuner.process().reporter(), counted);
        attend(tuner, asked, together);
    }
    PlanKey key = asked;
    if (tuner.measured() != nullptr) key.variant = {Variant::Kind::override, tuner.measured()->number};
    if (Plan* const known = tuner.plans().find(key))
        if (Plan* const plan = next_plan(tuner, key, *known, together)) return *plan;
    const Spending spending(tuner.process().reporter(), counted);
    return new_plan(tuner, key, together);
}

/// True for predefined handles, which never change. Others may be freed and reused.
bool is_predefined(const PassedCall& call) {
    const Element element = element_of(call.type);
    return element.kind != Element::Kind::other &&
           (call.op == MPI_OP_NULL || !combination_of(call.op, element).user_made);
}

}  // namespace

Plan* plan_for_started(Tuner& tuner, PlanKey key) {
    if (!tuner.process().world().advances() || !tuner.requests().settled()) return nullptr;
    key.variant = {Variant::Kind::started};
    Plan* const known = tuner.plans().find(key);
    if (known != nullptr && known->choice.source != Source::undecided) return known;
    std::optional<Choice> choice = known != nullptr ? std::nullopt : choice_at_once(tuner, key);
    if (!choice) {
        // Calls that synchronise bring the word of a profile. Rank 0 knows how many native calls pay for it.
        if (tuner.machine().knows(key)) {
            const bool is_first = !tuner.calls().contains(tuner.classes().of(key));
            if (CallState& calls = state_of(tuner, key); --calls.left <= 1 || is_first) ask(tuner, calls);
        }
        return known != nullptr ? known : &make(tuner, key, {.recipe = {}, .source = Source::undecided});
    }
    const Source source = choice->source;
    std::string refusal;
    Plan& plan = plan_or_refusal(tuner, key, std::move(*choice), refusal);
    return refusal.empty() ? &plan : &unserved_plan(tuner, key, plan, source, refusal);
}

Plan* plan_for_persistent(Tuner& tuner, const PlanKey& key) {
    if (!tuner.process().world().sees_starts()) return nullptr;
    Plan* const plan = plan_for_started(tuner, key);
    const bool is_decided =
        plan != nullptr && (plan->choice.source != Source::undecided || !tuner.machine().knows(key));
    if (is_decided) return plan;
    if (plan != nullptr) ask(tuner, state_of(tuner, key));
    settle(tuner);
    return plan_for_started(tuner, key);
}

Plan& plan_for(Tuner& tuner, const PlanKey& key, const PassedCall& passed) {
    Plan& plan = known_or_new_plan(tuner, key);
    // Counted and traced calls are looked at, and all calls while messages are awaited.
    const bool goes_on = plan.counter == nullptr || plan.counter->left > 1;
    if (plan.native() && goes_on && !tuner.process().reporter().observes() && !tuner.mail().open &&
        tuner.measured() == nullptr && is_predefined(passed))
        tuner.plans().note_native(passed, plan.counter == nullptr ? nullptr : &plan.counter->left);
    return plan;
}

}  // namespace echelon
