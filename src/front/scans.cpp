// SPDX-License-Identifier: Apache-2.0
// Reductions in which ranks get different results: reduce_scatter, scan, exscan.
#include "front/front_door.hpp"
#include "front/nonblocking.hpp"
#include "front/serve.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// A reduce_scatter of `count` elements into the blocks that Blocks makes of them, or into `given` ones.
template <class Call, class How>
int reduce_to_blocks(const Call& call, State& state, std::size_t count, const How& how,
                     const GivenBlocks* given = nullptr, BlockLengths lengths = BlockLengths::equal) {
    const Reduction reduction(state, call, count, state.size());
    if (!how.serves(reduction.combination)) return how.native(call);
    const Slice own =
        (given != nullptr ? given->blocks : Blocks(reduction.count, state.size()))[state.rank()];
    const bool in_place = call.in == MPI_IN_PLACE || call.in == call.out;
    check_buffer({call.in, MPI_Count(count), call.type}, "reduce_scatter: the send buffer");
    check_buffer({call.out, MPI_Count(in_place ? count : own.count * reduction.element.repeat), call.type},
                 "reduce_scatter: the receive buffer");

    if (how.sums_in_any_order(state, reduction, call.op)) return sum_in_any_order(call, state, reduction);
    PlanKey key = reduction_key(call.collective, reduction);
    key.lengths = lengths;
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(reduction.element, call.out, memory);
        // In place, MPI puts the result at the start of the vector and leaves the rest alone.
        begin_reduction(plan, memory, reduction, call.op,
                        memory.working_vector(reduction.element, key.count));
        memory.take(in_place ? call.out : call.in, key.count);
    };
    const auto end = [=](Memory& memory) { memory.hand_over(call.out, own); };
    return how.by_plan(call, state, key, begin, end, given);
}

template <class Counts, class How>
int serve(const calls::Reduce_scatter<Counts>& call, const How& how) {
    const bool sound = call.counts != nullptr && (call.in != call.out || !quirks::refuses_aliases) &&
                       reducible(call.out, 1, call.type, call.op);
    State* const state = state_for(call, sound);
    if (state == nullptr) return how.native(call);
    const int p = state->size();
    std::vector<std::size_t> starts{0};
    const bool counted = std::all_of(call.counts, call.counts + p, [&](Counts count) {
        return count >= 0 && (count == 0 || moves(Bytes(count), p));
    });
    for (int r = 0; counted && r < p; ++r) starts.push_back(starts.back() + std::size_t(call.counts[r]));
    const std::size_t total = starts.back();
    if (total == 0) return bypassed(call, *state, how);
    const Blocks even(total, p);
    int equal = 0;
    while (equal < p && even[equal].count == std::size_t(call.counts[equal])) ++equal;
    if (equal == p) return reduce_to_blocks(call, *state, total, how);
    if (combination_of(call.op, element_of(call.type)).user_made) {
        note_bypass(*state, call.collective, Bypass::uneven);
        return how.native(call);
    }
    const bool all = std::none_of(call.counts, call.counts + p, [](Counts count) { return count == 0; });
    const GivenBlocks given{Blocks({0, total}, std::move(starts))};
    return reduce_to_blocks(call, *state, total, how, &given,
                            all ? BlockLengths::different : BlockLengths::some_empty);
}

/// Scan and exscan differ on rank 0, which gets no result from an exscan.
template <Collective collective, class How>
int scan(const calls::Combine<collective>& call, const How& how) {
    constexpr bool exclusive = collective == Collective::exscan;
    const UserBuffer in{call.in, call.count, call.type}, out{call.out, call.count, call.type};
    State* const state =
        state_for(call, reducible(call.out, call) && (call.in != call.out || !quirks::refuses_aliases));
    if (state == nullptr) return how.native(call);
    const bool gets_nothing = exclusive && state->rank() == 0;
    const bool in_place = call.in == MPI_IN_PLACE || call.in == call.out;
    check_buffer(in, exclusive ? "exscan: the send buffer" : "scan: the send buffer");
    if (in_place || !gets_nothing)
        check_buffer(out, exclusive ? "exscan: the receive buffer" : "scan: the receive buffer");
    const Reduction reduction(*state, call, std::size_t(call.count));
    if (!how.serves(reduction.combination)) return how.native(call);
    if (how.sums_in_any_order(*state, reduction, call.op)) return sum_in_any_order(call, *state, reduction);

    const PlanKey key = reduction_key(collective, reduction);
    const auto begin = [=](const Plan& plan, Memory& memory) {
        const void* const source = in_place ? call.out : call.in;
        check_committed(reduction.element, source, memory);
        const bool sends_only = gets_nothing && !plan.writes_data;
        void* const data = !gets_nothing ? result_vector(memory, reduction, call.out)
                           : sends_only  ? const_cast<void*>(source)
                                         : memory.working_vector(reduction.element, key.count);
        begin_reduction(plan, memory, reduction, call.op, data);
        memory.take(source, key.count);
    };
    const auto end = [=](Memory& memory) {
        if (!gets_nothing) memory.hand_over(call.out, {0, key.count});
    };
    return how.by_plan(call, *state, key, begin, end);
}

template <class How>
int serve(const calls::Reduce_scatter_block& call, const How& how) {
    State* const state =
        state_for(call, reducible(call.out, call) && (call.in != call.out || !quirks::refuses_aliases));
    if (state == nullptr || !moves(Bytes(call.count), state->size())) return how.native(call);
    return reduce_to_blocks(call, *state, std::size_t(call.count) * std::size_t(state->size()), how);
}

template <class How>
int serve(const calls::Scan& call, const How& how) {
    return scan(call, how);
}
template <class How>
int serve(const calls::Exscan& call, const How& how) {
    return scan(call, how);
}

}  // namespace

ECHELON_SERVE(Reduce_scatter<int>)
ECHELON_SERVE(Reduce_scatter<MPI_Count>)
ECHELON_SERVE(Reduce_scatter_block)
ECHELON_SERVE(Scan)
ECHELON_SERVE(Exscan)

}  // namespace echelon
