// SPDX-License-Identifier: Apache-2.0
#include "front/front_door.hpp"

#include "front/items.hpp"
#include "front/nonblocking.hpp"
#include "front/serve.hpp"
#include "mpi/presence.hpp"

namespace echelon {
namespace {

template <class How>
int serve(const calls::Allreduce& call, const How& how) {
    check_buffer({call.in, call.count, call.type}, "allreduce: the send buffer");
    check_buffer({call.out, call.count, call.type}, "allreduce: the receive buffer");
    State* const state = state_for(call, reducible(call.out, call) && call.in != call.out);
    if (state == nullptr) return how.native(call);
    const Reduction reduction(*state, call, std::size_t(call.count));
    if (!how.serves(reduction.combination)) return how.native(call);
    if (how.sums_in_any_order(*state, reduction, call.op)) return sum_in_any_order(call, *state, reduction);

    const PlanKey key = reduction_key(call.collective, reduction);
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(reduction.element, call.out, memory);
        begin_reduction(plan, memory, reduction, call.op, result_vector(memory, reduction, call.out));
        memory.take(call.in == MPI_IN_PLACE ? call.out : call.in, key.count);
    };
    const auto end = [=](Memory& memory) { memory.hand_over(call.out, {0, key.count}); };
    return how.by_plan(call, *state, key, begin, end);
}

template <class How>
int serve(const calls::Reduce& call, const How& how) {
    State* const state = state_for(call, reducible(nullptr, call));
    if (state == nullptr || !has_rank(*state, call.root)) return how.native(call);
    const Reduction reduction(*state, call, std::size_t(call.count));
    // Only the root has a result; the argument of other ranks is ignored.
    const bool at_root = state->rank() == call.root, in_place = call.in == MPI_IN_PLACE;
    check_buffer({call.in, call.count, call.type}, "reduce: the send buffer");
    if (at_root) check_buffer({call.out, call.count, call.type}, "reduce: the receive buffer");
    if (!how.serves(reduction.combination) ||
        (at_root ? call.in == call.out || call.out == MPI_IN_PLACE : in_place))
        return how.native(call);
    if (how.sums_in_any_order(*state, reduction, call.op)) return sum_in_any_order(call, *state, reduction);

    const PlanKey key = reduction_key(call.collective, reduction, call.root);
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(reduction.element, at_root ? call.out : call.in, memory);
        // A rank that only sends uses the user's buffer.
        const bool sends_only = !at_root && !plan.writes_data;
        void* const data = at_root      ? result_vector(memory, reduction, call.out)
                           : sends_only ? const_cast<void*>(call.in)
                                        : memory.working_vector(reduction.element, key.count);
        begin_reduction(plan, memory, reduction, call.op, data);
        memory.take(in_place ? call.out : call.in, key.count);
    };
    const auto end = [=](Memory& memory) {
        if (at_root) memory.hand_over(call.out, {0, key.count});
    };
    return how.by_plan(call, *state, key, begin, end);
}

template <class How>
int serve(const calls::Bcast& call, const How& how) {
    // The count is not checked here: ranks may describe zero bytes in different ways.
    State* const state =
        state_for(call, call.data != MPI_IN_PLACE && call.count >= 0 && may_be_type(call.type));
    if (state == nullptr || !has_rank(*state, call.root)) return how.native(call);
    const Items items = how.kept(Items({call.data, call.count, call.type}));
    if (!moves(items.bytes()) || (call.data == nullptr && items.element.plain))
        return bypassed(call, *state, how);

    const PlanKey key = bytes_key(call.collective, items.bytes(), call.root);
    const bool at_root = state->rank() == call.root;
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(items.element, items.address, memory);
        std::byte* const data = items.room(memory);
        if (at_root) items.copy_to(data, memory);
        begin_bytes(plan, memory, data);
    };
    const auto end = [=](Memory& memory) {
        if (!at_root) items.copy_from(memory.data(), memory);
    };
    return how.by_plan(call, *state, key, begin, end);
}

template <class How>
int serve(const calls::Barrier& call, const How& how) {
    State* const state = state_for(call, true);
    if (state == nullptr) return how.native(call);
    const PlanKey key = bytes_key(call.collective, 0);
    const auto begin = [](const Plan& plan, Memory& memory) { begin_bytes(plan, memory, nullptr); };
    return how.by_plan(call, *state, key, begin, [](Memory&) {});
}

}  // namespace

ECHELON_SERVE(Allreduce)
ECHELON_SERVE(Reduce)
ECHELON_SERVE(Bcast)
ECHELON_SERVE(Barrier)

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
