// SPDX-License-Identifier: Apache-2.0
// Reductions in which ranks get different results: reduce_scatter, scan, exscan.
#include "front/front_door.hpp"
#include "front/serve.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// A reduce_scatter of `count` elements into the blocks that Blocks makes of them.
template <class Call>
int reduce_to_blocks(const Call& call, State& state, std::size_t count) {
    const Reduction reduction(state, call, count, state.size());
    if (!reduction.combination.served) return native_call(call);
    const Slice own = Blocks(reduction.count, state.size())[state.rank()];
    const bool in_place = call.in == MPI_IN_PLACE || call.in == call.out;
    check_buffer({call.in, MPI_Count(count), call.type}, "reduce_scatter: the send buffer");
    check_buffer({call.out, MPI_Count(in_place ? count : own.count * reduction.element.repeat), call.type},
                 "reduce_scatter: the receive buffer");

    const PlanKey key = reduction_key(call.collective, reduction);
    return by_plan(call, state, key, [&](Plan& plan) {
        check_committed(reduction.element, call.out, state);
        Memory& memory = state.own().memory();
        // In place, MPI puts the result at the start of the vector and leaves the rest alone.
        begin(plan, state, reduction, call.op, memory.working_vector(reduction.element, key.count));
        memory.take(in_place ? call.out : call.in, key.count);
        run(plan, state, key);
        memory.hand_over(call.out, own);
    });
}

template <class Counts>
int reduce_scatter(const calls::Reduce_scatter<Counts>& call) {
    const bool sound = call.counts != nullptr && (call.in != call.out || !quirks::refuses_aliases) &&
                       reducible(call.out, 1, call.type, call.op);
    State* const state = state_for(call, sound);
    if (state == nullptr) return native_call(call);
    const int p = state->size();
    std::size_t total = 0;
    const bool counted = std::all_of(call.counts, call.counts + p, [&](Counts count) {
        return count >= 0 && (count == 0 || moves(Bytes(count), p));
    });
    for (int r = 0; counted && r < p; ++r) total += std::size_t(call.counts[r]);
    const Blocks blocks(total, p);
    bool even = total > 0;
    for (int r = 0; even && r < p; ++r) even = MPI_Count(blocks[r].count) == MPI_Count(call.counts[r]);
    if (!even) {
        note_bypass(*state, call.collective, total > 0 ? Bypass::uneven : Bypass::arguments);
        return native_call(call);
    }
    return reduce_to_blocks(call, *state, total);
}

/// Scan and exscan differ on rank 0, which gets no result from an exscan.
template <Collective collective>
int scan(const calls::Combine<collective>& call) {
    constexpr bool exclusive = collective == Collective::exscan;
    const UserBuffer in{call.in, call.count, call.type}, out{call.out, call.count, call.type};
    State* const state =
        state_for(call, reducible(call.out, call) && (call.in != call.out || !quirks::refuses_aliases));
    if (state == nullptr) return native_call(call);
    const bool gets_nothing = exclusive && state->rank() == 0;
    const bool in_place = call.in == MPI_IN_PLACE || call.in == call.out;
    check_buffer(in, exclusive ? "exscan: the send buffer" : "scan: the send buffer");
    if (in_place || !gets_nothing)
        check_buffer(out, exclusive ? "exscan: the receive buffer" : "scan: the receive buffer");
    const Reduction reduction(*state, call, std::size_t(call.count));
    if (!reduction.combination.served) return native_call(call);

    const PlanKey key = reduction_key(collective, reduction);
    return by_plan(call, *state, key, [&](Plan& plan) {
        const void* const source = in_place ? call.out : call.in;
        check_committed(reduction.element, source, *state);
        Memory& memory = state->own().memory();
        const bool sends_only = gets_nothing && !plan.writes_data;
        void* const data = !gets_nothing ? result_vector(memory, reduction, call.out)
                           : sends_only  ? const_cast<void*>(source)
                                         : memory.working_vector(reduction.element, key.count);
        begin(plan, *state, reduction, call.op, data);
        memory.take(source, key.count);
        run(plan, *state, key);
        if (!gets_nothing) memory.hand_over(call.out, {0, key.count});
    });
}

}  // namespace

int front_call(const calls::Reduce_scatter<int>& call) { return reduce_scatter(call); }
int front_call(const calls::Reduce_scatter<MPI_Count>& call) { return reduce_scatter(call); }

int front_call(const calls::Reduce_scatter_block& call) {
    State* const state =
        state_for(call, reducible(call.out, call) && (call.in != call.out || !quirks::refuses_aliases));
    if (state == nullptr || !moves(Bytes(call.count), state->size())) return native_call(call);
    return reduce_to_blocks(call, *state, std::size_t(call.count) * std::size_t(state->size()));
}

int front_call(const calls::Scan& call) { return scan(call); }
int front_call(const calls::Exscan& call) { return scan(call); }

}  // namespace echelon
