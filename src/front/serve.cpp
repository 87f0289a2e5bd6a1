// SPDX-License-Identifier: Apache-2.0
#include "front/serve.hpp"

#include "front/errors.hpp"
#include "hier/lengths.hpp"
#include "mpi/watchdog.hpp"

#include <limits>

namespace echelon {

State* state_for(Collective collective, MPI_Comm comm, bool good_arguments) {
    if (!good_arguments) {
        const Process* const process = Process::instance(comm);
        if (process == nullptr || !process->reporter().counts()) return nullptr;
        if (State* const state = State::known(comm)) note_bypass(*state, collective, Bypass::arguments);
        return nullptr;
    }
    State* const state = State::of(comm);
    if (state == nullptr || state->plans().always_native(collective)) return nullptr;
    if (state->serves()) return state;
    note_bypass(*state, collective, *state->unserved());
    return nullptr;
}

void check_buffer(const UserBuffer& buffer, const char* what) {
    const auto& [data, count, type] = buffer;
    if (count < 0)
        throw WrongArgument(MPI_ERR_COUNT, std::string(what) + " has count " + std::to_string(count) +
                                               "; it must be 0 or more");
    if (data != nullptr || count == 0 || !may_be_type(type)) return;
    const Element element = element_of(type);
    if (element.size > 0 && element.plain)
        throw WrongArgument(MPI_ERR_BUFFER, std::string(what) + " is null, but count is " +
                                                std::to_string(count) +
                                                "; give a buffer of that many elements");
}

void check_committed(const Element& element, const void* data, Memory& memory) {
    if (element.kind == Element::Kind::other)
        check(PMPI_Send(data, 1, element.type, MPI_PROC_NULL, 0, memory.loopback().comm), "MPI_Send");
}

Reduction::Reduction(State& state, Collective collective, MPI_Datatype type, MPI_Op op, std::size_t elements,
                     int blocks)
    : element(element_of(type)), count(elements), combination(combination_of(op, element)) {
    if (!moves(element.bytes(count))) combination.served = false;
    if (combination.served && combination.user_made) {
        // Beyond an int, native phases of a recipe would have to cut.
        const std::size_t block = count / std::size_t(blocks);
        combination.served = count % std::size_t(blocks) == 0 &&
                             element.bytes(count) <= Bytes(std::numeric_limits<int>::max());
        // The padding of a pair is not sent: other ranks may have none.
        element.plain = element.dense();
        element = element.times(block);
        count = std::size_t(blocks);
    }
    if (!combination.served) note_bypass(state, collective, Bypass::operation);
}

PlanKey reduction_key(Collective collective, const Reduction& reduction, int root) {
    return {.collective = collective,
            .in_order = !reduction.combination.commutative,
            .exact = reduction.combination.exact,
            .root = root,
            .element_size = reduction.element.size,
            .count = reduction.count};
}

PlanKey bytes_key(Collective collective, Bytes bytes, int root) {
    return {.collective = collective,
            .in_order = false,
            .exact = true,
            .root = root,
            .element_size = 1,
            .count = bytes};
}

void begin_reduction(const Plan& plan, Memory& memory, const Reduction& reduction, MPI_Op op, void* data) {
    memory.begin(reduction.element, op, reduction.combination, data, nullptr, plan.scratch);
}

void begin_bytes(const Plan& plan, Memory& memory, void* data, const void* input) {
    static const Element byte = element_of(MPI_BYTE);
    memory.begin(byte, MPI_OP_NULL, {}, data, input, plan.scratch);
}

namespace {

void carry_out(Plan& plan, State& state, const PlanKey& key) {
    FirstError& first_error = state.own().first_error();
    if (plan.numbers == nullptr) first_error = {};
    Call call = key.call();
    call.given = plan.given;
    if (plan.engine)
        plan.engine->run();
    else
        perform(phase_for(plan.phase, plan.given), state.own().team(), call.args(state.size()));
    first_error.raise();
}

/// Calls `act`; the watchdog reports it if it takes long.
template <class Act>
void watched(const Plan& plan, const PlanKey& key, const Act& act) {
    if (!Watchdog::watches()) [[likely]]
        return act();
    const Watchdog::Call call(std::string(name(key.collective)) + " of " + std::to_string(key.bytes()) +
                              " bytes by " + to_string(plan.choice.recipe));
    act();
}

}  // namespace

void run(Plan& plan, State& state, const PlanKey& key) {
    watched(plan, key, [&] { carry_out(plan, state, key); });
}

GivenBlocks learn(Plan& plan, State& state, const PlanKey& key, OwnBlocks& own) {
    Memory& memory = state.own().memory();
    own.ask(*plan.numbers, memory);
    state.own().team().begin();
    state.own().first_error() = {};
    watched(plan, key, [&] { plan.numbers->engine->run(); });
    return own.answer(*plan.numbers, memory);
}

}  // namespace echelon
