// SPDX-License-Identifier: Apache-2.0
#include "front/front_door.hpp"

#include "front/items.hpp"
#include "front/serve.hpp"
#include "mpi/presence.hpp"

namespace echelon {

int front_call(const calls::Allreduce& call) {
    check_buffer({call.in, call.count, call.type}, "allreduce: the send buffer");
    check_buffer({call.out, call.count, call.type}, "allreduce: the receive buffer");
    State* const state = state_for(call, reducible(call.out, call) && call.in != call.out);
    if (state == nullptr) return native_call(call);
    const Reduction reduction(*state, call, std::size_t(call.count));
    if (!reduction.combination.served) return native_call(call);

    const PlanKey key = reduction_key(call.collective, reduction);
    return by_plan(call, *state, key, [&](Plan& plan) {
        check_committed(reduction.element, call.out, *state);
        Memory& memory = state->own().memory();
        begin(plan, *state, reduction, call.op, result_vector(memory, reduction, call.out));
        memory.take(call.in == MPI_IN_PLACE ? call.out : call.in, key.count);
        run(plan, *state, key);
        memory.hand_over(call.out, {0, key.count});
    });
}

int front_call(const calls::Reduce& call) {
    State* const state = state_for(call, reducible(nullptr, call));
    if (state == nullptr || !has_rank(*state, call.root)) return native_call(call);
    const Reduction reduction(*state, call, std::size_t(call.count));
    // Only the root has a result; the argument of other ranks is ignored.
    const bool at_root = state->rank() == call.root, in_place = call.in == MPI_IN_PLACE;
    check_buffer({call.in, call.count, call.type}, "reduce: the send buffer");
    if (at_root) check_buffer({call.out, call.count, call.type}, "reduce: the receive buffer");
    if (!reduction.combination.served ||
        (at_root ? call.in == call.out || call.out == MPI_IN_PLACE : in_place))
        return native_call(call);

    const PlanKey key = reduction_key(call.collective, reduction, call.root);
    return by_plan(call, *state, key, [&](Plan& plan) {
        check_committed(reduction.element, at_root ? call.out : call.in, *state);
        // A rank that only sends uses the user's buffer.
        const bool sends_only = !at_root && !plan.writes_data;
        Memory& memory = state->own().memory();
        void* const data = at_root      ? result_vector(memory, reduction, call.out)
                           : sends_only ? const_cast<void*>(call.in)
                                        : memory.working_vector(reduction.element, key.count);
        begin(plan, *state, reduction, call.op, data);
        memory.take(in_place ? call.out : call.in, key.count);
        run(plan, *state, key);
        if (at_root) memory.hand_over(call.out, {0, key.count});
    });
}

int front_call(const calls::Bcast& call) {
    // The count is not checked here: ranks may describe zero bytes in different ways.
    State* const state =
        state_for(call, call.data != MPI_IN_PLACE && call.count >= 0 && may_be_type(call.type));
    if (state == nullptr || !has_rank(*state, call.root)) return native_call(call);
    const Items items({call.data, call.count, call.type});
    if (!moves(items.bytes()) || (call.data == nullptr && items.element.plain)) return bypassed(call, *state);

    const PlanKey key = bytes_key(call.collective, items.bytes(), call.root);
    return by_plan(call, *state, key, [&](Plan& plan) {
        check_committed(items.element, items.address, *state);
        const bool at_root = state->rank() == call.root;
        std::byte* const data = items.room(*state);
        if (at_root) items.copy_to(data, *state);
        begin_bytes(plan, *state, data);
        run(plan, *state, key);
        if (!at_root) items.copy_from(data, *state);
    });
}

int front_call(const calls::Barrier& call) {
    State* const state = state_for(call, true);
    if (state == nullptr) return native_call(call);
    const PlanKey key = bytes_key(call.collective, 0);
    return by_plan(call, *state, key, [&](Plan& plan) {
        begin_bytes(plan, *state, nullptr);
        run(plan, *state, key);
    });
}

void front_note_absence(Collective collective, MPI_Comm comm) {
    Process* const process = Process::instance(comm);
    if (process == nullptr) return;
    const bool unseen = presence() == Presence::unseen;
    if (unseen)
        process->log().once(
            process->speaks(),
            "MPI_Init was called past Echelon's library, by dlsym, PMPI_Init or a tool in front of "
            "it; all MPI calls stay with the MPI library");
    State* const state = process->reporter().counts() ? State::of(comm) : nullptr;
    if (state != nullptr) note_bypass(*state, collective, unseen ? Bypass::unseen : Bypass::absent);
}

}  // namespace echelon
