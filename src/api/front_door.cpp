// SPDX-License-Identifier: Apache-2.0
#include "api/front_door.hpp"

#include "api/calibrate.hpp"
#include "api/choose.hpp"
#include "api/errors.hpp"
#include "api/native_call.hpp"
#include "api/serve.hpp"
#include "api/settle.hpp"
#include "cache/info_keys.hpp"
#include "cache/parting.hpp"
#include "mpi/clock.hpp"
#include "mpi/launcher_word.hpp"
#include "mpi/next.hpp"

namespace echelon {
namespace {

/// Whether what is asked for stands in the recipes of a strict source; whoever measures a recipe means it, too.
bool is_strict(State& state, const PlanKey& key, Source source) {
    if (source == Source::hint)
        return state.hints().find(key.collective, key.count * key.element_size)->strict;
    if (source == Source::trial) return state.rehearsal() != nullptr;
    return (source == Source::setting || source == Source::key) && state.process().settings().strict;
}

Plan& refused_plan(State& state, const PlanKey& key, const std::string& refusal) {
    return state.make_plan(key, {.recipe = {}, .source = Source::refused, .refusal = refusal});
}

/// Makes the plan of a choice; where that cannot serve, of native, with the reason in `refusal`.
Plan& plan_of(State& state, const PlanKey& key, Choice choice, std::string& refusal) {
    try {
        return state.make_plan(key, std::move(choice));
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
    state.note_settlement(key, contest);
    if (arm == tournament.incumbent()) return chosen;
    PlanKey own = key;
    own.variant = std::uint16_t(1 + arm);
    if (Plan* const known = state.plans().find(own)) return *known;
    const Recipe& recipe = tournament.arms()[arm].recipe;
    if (!together && !state.own().lack(recipe, key.collective).empty()) {
        tournament.drop(arm);
        return chosen;
    }
    if (!together && !state.own().is_provided(recipe, key)) {
        tournament.postpone();
        state.want(recipe, key);
        return chosen;
    }
    const bool at_root = chosen.at_root;
    if (tournament.first_call()) contest.began = now();
    std::string refusal;
    Plan& made = plan_of(state, own, {.recipe = recipe, .source = Source::trial}, refusal);
    if (!refusal.empty() || state.own().lacks_windows(recipe, key.collective)) {
        tournament.drop(arm);
        contest.began.reset();
        return made;
    }
    made.contest = &contest;
    made.at_root = at_root;
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

/// What was chosen can be had: the plan of it, or of the arm whose turn it is.
Plan& served_plan(State& state, const PlanKey& key, Plan& plan, Source source, bool together) {
    if (state.own().lacks_windows(plan.choice.recipe, key.collective))
        state.process().say_once(
            state.rank() == 0,
            "ranks of a node cannot share memory here, or not more of it (ECHELON_WINDOW=" +
                format_bytes(state.process().settings().window) +
                "); what would pass through it goes by messages");
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
    state.process().say_once(state.rank() == 0 && source != Source::built_in,
                             sentence + "; the native collective runs instead where that is so");
    return native;
}

/// What is to run for calls that have no plan; nullopt: `waits` runs, as long as nobody may or need think.
std::optional<Choice> choice_for(State& state, const PlanKey& key, bool together, Plan*& waits) {
    if (!state.process().observes() && chooses_native_only(state, key.collective))
        state.plans().set_always_native(key.collective);
    if (auto choice = known_choice(state, key)) return choice;
    if (state.together()) {
        tell(state, {key});
        return known_choice(state, key).value();
    }
    long& left = state.patience(key, calls_before_thinking(state, key)).left;
    // Below 0 where calls of one class have several plans, which count together.
    const bool waited = left <= 0;
    if (waited && !together) {
        waits = &state.postpone(key);
        return std::nullopt;
    }
    if (waited) {
        tell(state, {key});
        if (auto choice = known_choice(state, key)) return choice;
    }
    waits = &state.make_plan(key, {.recipe = {}, .source = Source::built_in});
    waits->left = &left;
    return std::nullopt;
}

Plan& made_plan(State& state, const PlanKey& key, bool together) {
    if (!state.settled()) return state.postpone(key);
    Plan* waits = nullptr;
    std::optional<Choice> choice = choice_for(state, key, together, waits);
    if (!choice) return *waits;
    std::string refusal = together ? "" : state.own().lack(choice->recipe, key.collective);
    if (!together && refusal.empty() && !state.own().is_provided(choice->recipe, key))
        return state.postpone(key);
    const Source source = choice->source;
    Plan& plan = refusal.empty() ? plan_of(state, key, std::move(*choice), refusal)
                                 : refused_plan(state, key, refusal);
    return refusal.empty() ? served_plan(state, key, plan, source, together)
                           : unserved_plan(state, key, plan, source, refusal);
}

Plan& planned(State& state, const PlanKey& asked) {
    const bool together = asked.synchronises(state.size()) || state.together();
    const auto who_counts = [&] {
        return state.process().counts() && state.rehearsal() == nullptr ? &state.process() : nullptr;
    };
    if (together && state.has_business()) {
        const Spending spending(who_counts());
        settle(state);
    }
    PlanKey key = asked;
    if (state.rehearsal() != nullptr) key.variant = state.rehearsal()->number;
    if (Plan* const found = found_plan(state, key, together)) return *found;
    const Spending spending(who_counts());
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
    const bool may_settle = key.synchronises(state.size()) || state.together();
    const bool goes_on = plan.contest == nullptr || (plan.left != nullptr && *plan.left > 1);
    if (plan.native() && goes_on && !state.process().observes() && !(may_settle && state.has_business()) &&
        state.rehearsal() == nullptr && is_predefined(passed))
        state.plans().note_native(passed, plan.left);
    return plan;
}

int front_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto native = [&] { return native_allreduce(in, out, count, type, op, comm); };
    check_buffer(in, count, type, "allreduce: the send buffer");
    check_buffer(out, count, type, "allreduce: the receive buffer");
    State* const state = looks_at(Collective::allreduce, comm, reducible(out, count, type, op) && in != out);
    if (state == nullptr) return native();
    const Reduction reduction(*state, Collective::allreduce, type, op, std::size_t(count));
    if (!reduction.combination.served) return native();

    const PlanKey key = reduction_key(Collective::allreduce, reduction);
    Plan& plan = plan_for(*state, key, {Collective::allreduce, type, op, count, 0});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(reduction.element, out, *state);
    Memory& memory = state->own().memory();
    begin(plan, *state, reduction, op, result_vector(memory, reduction, out));
    memory.take(in == MPI_IN_PLACE ? out : in, key.count);
    run(plan, *state, key);
    memory.hand_over(out, {0, key.count});
    return MPI_SUCCESS;
}

int front_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm) {
    const auto native = [&] { return native_reduce(in, out, count, type, op, root, comm); };
    State* const state = looks_at(Collective::reduce, comm, reducible(nullptr, count, type, op));
    if (state == nullptr || root < 0 || root >= state->size()) return native();
    const Reduction reduction(*state, Collective::reduce, type, op, std::size_t(count));
    // Only the root has a result; what the others pass there is not looked at.
    const bool at_root = state->rank() == root;
    check_buffer(in, count, type, "reduce: the send buffer");
    if (at_root) check_buffer(out, count, type, "reduce: the receive buffer");
    if (!reduction.combination.served || (at_root ? in == out || out == MPI_IN_PLACE : in == MPI_IN_PLACE))
        return native();

    const PlanKey key = reduction_key(Collective::reduce, reduction, root);
    Plan& plan = plan_for(*state, key, {Collective::reduce, type, op, count, root});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(reduction.element, at_root ? out : in, *state);
    // A rank that only sends does so straight from the user's buffer.
    const bool sends_only = !at_root && !plan.writes_data;
    Memory& memory = state->own().memory();
    void* const data = at_root      ? result_vector(memory, reduction, out)
                       : sends_only ? const_cast<void*>(in)
                                    : memory.working_vector(reduction.element, key.count);
    begin(plan, *state, reduction, op, data);
    memory.take(in == MPI_IN_PLACE ? out : in, key.count);
    run(plan, *state, key);
    if (at_root) memory.hand_over(out, {0, key.count});
    return MPI_SUCCESS;
}

int front_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    const auto native = [&] { return native_bcast(data, count, type, root, comm); };
    // Ranks may describe no bytes differently, so this does not ask for the count.
    State* const state =
        looks_at(Collective::bcast, comm, data != MPI_IN_PLACE && count >= 0 && may_be_type(type));
    if (state == nullptr || root < 0 || root >= state->size()) return native();
    const Element element = element_of(type);
    const Bytes bytes = element.bytes(std::size_t(count));
    if (!moves(bytes) || (data == nullptr && element.plain)) {
        state->bypassed(Collective::bcast, Bypass::arguments);
        return native();
    }

    const PlanKey key = bytes_key(Collective::bcast, bytes, root);
    Plan& plan = plan_for(*state, key, {Collective::bcast, type, MPI_OP_NULL, count, root});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(element, data, *state);
    if (element.dense()) {
        begin_bytes(plan, *state, data);
        run(plan, *state, key);
        return MPI_SUCCESS;
    }
    void* const packed = state->own().memory().working_vector(element_of(MPI_BYTE), bytes);
    if (state->rank() == root) pack(packed, data, std::size_t(count), element, state->own().self());
    begin_bytes(plan, *state, packed);
    run(plan, *state, key);
    if (state->rank() != root) unpack(data, packed, std::size_t(count), element, state->own().self());
    return MPI_SUCCESS;
}

int front_barrier(MPI_Comm comm) {
    State* const state = looks_at(Collective::barrier, comm, true);
    if (state == nullptr) return native_barrier(comm);
    const PlanKey key = bytes_key(Collective::barrier, 0);
    Plan& plan = plan_for(*state, key, passed_barrier());
    const Timed timed(plan);
    if (plan.native()) return native_barrier(comm);
    begin_bytes(plan, *state, nullptr);
    run(plan, *state, key);
    return MPI_SUCCESS;
}

namespace {

int initialized(int code) {
    if (code != MPI_SUCCESS) return code;
    return guarded(MPI_COMM_WORLD, [] {
        if (Process* const process = Process::instance()) {
            process->initialized();
            introduce(*process, MPI_COMM_WORLD);
        }
        return MPI_SUCCESS;
    });
}

}  // namespace

int front_abort(MPI_Comm comm, int code) {
    if (Process* const process = Process::instance()) process->abort();
    return next.Abort(comm, code);
}

int front_init(int* argc, char*** argv) {
    LauncherWord::leave();
    return initialized(next.Init(argc, argv));
}

int front_init_thread(int* argc, char*** argv, int required, int* provided) {
    LauncherWord::leave();
    return initialized(next.Init_thread(argc, argv, required, provided));
}

int front_set_info(MPI_Comm comm, MPI_Info info) {
    const int code = next.Comm_set_info(comm, info);
    Process* const process = code == MPI_SUCCESS ? Process::instance(comm) : nullptr;
    if (process == nullptr) return code;
    InfoKeys::take(*process, comm, info);
    if (State* const state = State::known(comm)) state->keys_changed();
    return MPI_SUCCESS;
}

int front_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
    const int code = next.Comm_dup_with_info(comm, info, made);
    Process* const process = code == MPI_SUCCESS ? Process::instance(comm) : nullptr;
    if (process == nullptr) return code;
    InfoKeys::drop(*process, *made);
    InfoKeys::take(*process, *made, info);
    introduce(*process, *made);
    return MPI_SUCCESS;
}

int front_free(MPI_Comm* comm) { return Parting::by(next.Comm_free, comm); }

int front_disconnect(MPI_Comm* comm) { return Parting::by(next.Comm_disconnect, comm); }

int front_made(int code, const MPI_Comm* made) {
    if (code != MPI_SUCCESS || *made == MPI_COMM_NULL) return code;
    if (Process* const process = Process::instance(*made)) introduce(*process, *made);
    return code;
}

int front_came(int code, const MPI_Comm* made) {
    if (code != MPI_SUCCESS || *made == MPI_COMM_NULL) return code;
    if (Process* const process = Process::instance(*made)) forget_dead(*process, *made);
    return code;
}

}  // namespace echelon
