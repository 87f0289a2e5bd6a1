// SPDX-License-Identifier: Apache-2.0
#include "api/front_door.hpp"

#include "api/choose.hpp"
#include "api/errors.hpp"
#include "api/native_call.hpp"
#include "cache/info_keys.hpp"
#include "mpi/next.hpp"

#include <limits>
#include <vector>

namespace echelon {
namespace {

/// Whether what is asked for stands in the recipes of a strict source.
bool is_strict(State& state, const PlanKey& key, Source source) {
    if (source == Source::hint)
        return state.hints().find(key.collective, key.count * key.element_size)->strict;
    return (source == Source::setting || source == Source::key) && state.process().settings().strict;
}

/// Counts a call and the time inside, where that was asked for.
class Timed {
public:
    explicit Timed(const Plan& plan) : counts_(plan.counts), start_(counts_ != nullptr ? ticks() : 0) {}
    ~Timed() {
        if (counts_ == nullptr) return;
        ++counts_->calls;
        counts_->ticks += ticks() - start_;
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    Tally::Counts* counts_;
    std::uint64_t start_;
};

/// The state of the communicator of a call that Echelon looks at. Nullptr: the library serves it, or says
/// what is wrong with it. Requires: `good_arguments` is the same on all ranks of a correct program.
State* looks_at(Collective collective, MPI_Comm comm, bool good_arguments) {
    if (!good_arguments) {
        const Process* const process = Process::instance(comm);
        if (process == nullptr || !process->counts()) return nullptr;
        if (State* const state = State::known(comm)) state->bypassed(collective, Bypass::arguments);
        return nullptr;
    }
    State* const state = State::of(comm);
    if (state == nullptr || state->always_native(collective)) return nullptr;
    if (state->serves()) return state;
    state->bypassed(collective);
    return nullptr;
}

/// Runs a plan on the communicator's memory, which begin() has filled in.
void run(Plan& plan, State& state, const PlanKey& key) {
    if (plan.engine)
        plan.engine->run();
    else
        perform(plan.phase, state.site(), key.call().args(state.size()));
}

void begin(Plan& plan, State& state, const Element& element, MPI_Op op, const Combination& combination,
           void* data) {
    state.memory().begin(element, op, combination, data, nullptr, plan.scratch);
    state.site().begin();
}

/// What a reduction combines; not served where that is the library's business.
struct Reduction {
    Reduction(State& state, Collective collective, MPI_Datatype type, MPI_Op op)
        : element(element_of(type)), combination(combination_of(op, element)) {
        if (!combination.served) state.bypassed(collective, Bypass::operation);
    }
    Element element;
    Combination combination;
};

/// MPI wants datatypes of the user committed, and only a call that communicates looks at that.
/// Requires: a plan that is not native.
void check_committed(const Element& element, const void* data, State& state) {
    if (element.kind == Element::Kind::other)
        check(PMPI_Send(data, 1, element.type, MPI_PROC_NULL, 0, state.private_comm()), "MPI_Send");
}

bool reducible(MPI_Count count, MPI_Datatype type, MPI_Op op) {
    return count > 0 && type != MPI_DATATYPE_NULL && op != MPI_OP_NULL;
}

/// Some libraries crash where a count is negative, or a buffer null; null is legal for types with absolute
/// addresses (MPI_BOTTOM).
void check_buffer(const void* buffer, MPI_Count count, MPI_Datatype type, const char* what) {
    if (count < 0)
        throw WrongArgument(MPI_ERR_COUNT, std::string(what) + " has count " + std::to_string(count) +
                                               "; it must be 0 or more");
    if (buffer != nullptr || count == 0 || type == MPI_DATATYPE_NULL) return;
    const Element element = element_of(type);
    if (element.size > 0 && element.plain)
        throw WrongArgument(MPI_ERR_BUFFER, std::string(what) + " is null, but count is " +
                                                std::to_string(count) +
                                                "; give a buffer of that many elements");
}

PlanKey reduction_key(Collective collective, const Element& element, MPI_Count count,
                      const Combination& combination, int root) {
    return {.collective = collective,
            .in_order = !combination.commutative,
            .exact = combination.exact,
            .root = root,
            .element_size = element.size,
            .count = std::size_t(count)};
}

}  // namespace

Plan& plan_for(State& state, const PlanKey& key) {
    if (Plan* const known = state.find_plan(key)) return *known;
    if (!state.process().counts() && chooses_native_only(state, key.collective))
        state.set_always_native(key.collective);
    Choice choice = choose(state, key);
    std::string refusal;
    try {
        return state.make_plan(key, choice);
    } catch (const MpiError&) {
        throw;
    } catch (const Error& error) {
        refusal = error.what();
    }
    const std::string asked = std::string(name(key.collective)) + ": recipe " + refusal;
    if (is_strict(state, key, choice.source)) throw Refused(asked);
    state.process().say_once(state.rank() == 0 && choice.source != Source::rule,
                             asked + "; the native collective runs instead where that is so");
    return state.make_plan(key, {.recipe = {}, .source = Source::refused, .refusal = refusal});
}

int front_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto native = [&] { return native_allreduce(in, out, count, type, op, comm); };
    check_buffer(in, count, type, "allreduce: the send buffer");
    check_buffer(out, count, type, "allreduce: the receive buffer");
    State* const state = looks_at(Collective::allreduce, comm, reducible(count, type, op) && in != out);
    if (state == nullptr) return native();
    const auto [element, combination] = Reduction(*state, Collective::allreduce, type, op);
    if (!combination.served) return native();

    const PlanKey key = reduction_key(Collective::allreduce, element, count, combination, 0);
    Plan& plan = plan_for(*state, key);
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(element, out, *state);
    begin(plan, *state, element, op, combination, out);
    if (in != MPI_IN_PLACE) state->memory().copy(out, in, key.count);
    run(plan, *state, key);
    return MPI_SUCCESS;
}

int front_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm) {
    const auto native = [&] { return native_reduce(in, out, count, type, op, root, comm); };
    State* const state = looks_at(Collective::reduce, comm, reducible(count, type, op));
    if (state == nullptr || root < 0 || root >= state->size()) return native();
    const auto [element, combination] = Reduction(*state, Collective::reduce, type, op);
    // Only the root has a result; what the others pass there is not looked at.
    const bool at_root = state->rank() == root;
    check_buffer(in, count, type, "reduce: the send buffer");
    if (at_root) check_buffer(out, count, type, "reduce: the receive buffer");
    if (!combination.served || (at_root ? in == out : in == MPI_IN_PLACE)) return native();

    const PlanKey key = reduction_key(Collective::reduce, element, count, combination, root);
    Plan& plan = plan_for(*state, key);
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(element, at_root ? out : in, *state);
    // A rank that only sends does so straight from the user's buffer.
    const bool sends_only = !at_root && !plan.writes_data;
    void* const data = at_root      ? out
                       : sends_only ? const_cast<void*>(in)
                                    : state->memory().working_vector(element, key.count);
    begin(plan, *state, element, op, combination, data);
    if (in != MPI_IN_PLACE && !sends_only) state->memory().copy(data, in, key.count);
    run(plan, *state, key);
    return MPI_SUCCESS;
}

int front_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    const auto native = [&] { return native_bcast(data, count, type, root, comm); };
    // Ranks may describe no bytes differently, so this does not ask for the count.
    State* const state = looks_at(Collective::bcast, comm, count >= 0 && type != MPI_DATATYPE_NULL);
    if (state == nullptr || root < 0 || root >= state->size()) return native();
    const Element element = element_of(type);
    const Bytes bytes = std::size_t(count) * element.size;
    if (bytes == 0 || (data == nullptr && element.plain)) {
        state->bypassed(Collective::bcast, Bypass::arguments);
        return native();
    }

    // Ranks may describe the same bytes by different types: all work on bytes.
    const PlanKey key{.collective = Collective::bcast,
                      .in_order = false,
                      .exact = true,
                      .root = root,
                      .element_size = 1,
                      .count = bytes};
    Plan& plan = plan_for(*state, key);
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(element, data, *state);
    const Element byte = element_of(MPI_BYTE);
    if (element.dense()) {
        begin(plan, *state, byte, MPI_OP_NULL, {}, data);
        run(plan, *state, key);
        return MPI_SUCCESS;
    }
    void* const packed = state->memory().working_vector(byte, bytes);
    if (state->rank() == root) pack(packed, data, std::size_t(count), element, state->private_comm());
    begin(plan, *state, byte, MPI_OP_NULL, {}, packed);
    run(plan, *state, key);
    if (state->rank() != root) unpack(data, packed, std::size_t(count), element, state->private_comm());
    return MPI_SUCCESS;
}

int front_barrier(MPI_Comm comm) {
    State* const state = looks_at(Collective::barrier, comm, true);
    if (state == nullptr) return native_barrier(comm);
    const PlanKey key{.collective = Collective::barrier,
                      .in_order = false,
                      .exact = true,
                      .root = 0,
                      .element_size = 1,
                      .count = 0};
    Plan& plan = plan_for(*state, key);
    const Timed timed(plan);
    if (plan.native()) return native_barrier(comm);
    begin(plan, *state, element_of(MPI_BYTE), MPI_OP_NULL, {}, nullptr);
    run(plan, *state, key);
    return MPI_SUCCESS;
}

int front_set_info(MPI_Comm comm, MPI_Info info) {
    const int code = next.Comm_set_info(comm, info);
    Process* const process = code == MPI_SUCCESS ? Process::instance(comm) : nullptr;
    if (process == nullptr) return code;
    InfoKeys::take(*process, comm, info);
    // All ranks have a state, or none has.
    if (State* const state = State::known(comm)) state->keys_changed();
    return MPI_SUCCESS;
}

int front_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
    const int code = next.Comm_dup_with_info(comm, info, made);
    Process* const process = code == MPI_SUCCESS ? Process::instance(comm) : nullptr;
    if (process == nullptr) return code;
    InfoKeys::drop(*process, *made);
    InfoKeys::take(*process, *made, info);
    return MPI_SUCCESS;
}

}  // namespace echelon
