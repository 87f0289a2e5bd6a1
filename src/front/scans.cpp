// SPDX-License-Identifier: Apache-2.0
// Reductions in which ranks get different results: reduce_scatter, scan, exscan.
#include "front/front_door.hpp"
#include "front/native_call.hpp"
#include "front/plan_for.hpp"
#include "front/serve.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// Reduce-scatter of `count` elements in the blocks that Blocks makes of them.
template <class Native>
int reduce_to_blocks(State& state, const Native& native, const void* in, void* out, std::size_t count,
                     MPI_Datatype type, MPI_Op op) {
    constexpr auto collective = Collective::reduce_scatter;
    const Reduction reduction(state, collective, type, op, count, state.size());
    if (!reduction.combination.served) return native();
    const Slice own = Blocks(reduction.count, state.size())[state.rank()];
    const bool in_place = in == MPI_IN_PLACE || in == out;
    check_buffer(in, MPI_Count(count), type, "reduce_scatter: the send buffer");
    check_buffer(out, MPI_Count(in_place ? count : own.count * reduction.element.repeat), type,
                 "reduce_scatter: the receive buffer");

    const PlanKey key = reduction_key(collective, reduction);
    Plan& plan = plan_for(state, key, {collective, type, op, MPI_Count(count), 0});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(reduction.element, out, state);
    Memory& memory = state.own().memory();
    // In place, MPI puts the result at the beginning of the vector; what lies behind it is not ours.
    begin(plan, state, reduction, op, memory.working_vector(reduction.element, key.count));
    memory.take(in_place ? out : in, key.count);
    run(plan, state, key);
    memory.hand_over(out, own);
    return MPI_SUCCESS;
}

template <class Count>
int reduce_scatter(const void* in, void* out, const Count* counts, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
    constexpr auto collective = Collective::reduce_scatter;
    const auto native = [&] { return native_reduce_scatter(in, out, counts, type, op, comm); };
    State* const state =
        looks_at(collective, comm,
                 counts != nullptr && (in != out || !quirks::refuses_aliases) && reducible(out, 1, type, op));
    if (state == nullptr) return native();
    const int p = state->size();
    std::size_t total = 0;
    const bool counted = std::all_of(counts, counts + p, [&](Count count) {
        return count >= 0 && (count == 0 || moves(Bytes(count), p));
    });
    for (int r = 0; counted && r < p; ++r) total += std::size_t(counts[r]);
    const Blocks blocks(total, p);
    bool even = total > 0;
    for (int r = 0; even && r < p; ++r) even = MPI_Count(blocks[r].count) == MPI_Count(counts[r]);
    if (!even) {
        state->bypassed(collective, total > 0 ? Bypass::uneven : Bypass::arguments);
        return native();
    }
    return reduce_to_blocks(*state, native, in, out, total, type, op);
}

/// Scan and exscan differ in rank 0, which gets nothing from an exscan.
template <class Native>
int scan(Collective collective, const Native& native, const void* in, void* out, MPI_Count count,
         MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const bool exclusive = collective == Collective::exscan;
    State* const state = looks_at(collective, comm,
                                  reducible(out, count, type, op) && (in != out || !quirks::refuses_aliases));
    if (state == nullptr) return native();
    const bool gets_nothing = exclusive && state->rank() == 0;
    const bool in_place = in == MPI_IN_PLACE || in == out;
    check_buffer(in, count, type, exclusive ? "exscan: the send buffer" : "scan: the send buffer");
    if (in_place || !gets_nothing)
        check_buffer(out, count, type, exclusive ? "exscan: the receive buffer" : "scan: the receive buffer");
    const Reduction reduction(*state, collective, type, op, std::size_t(count));
    if (!reduction.combination.served) return native();

    const PlanKey key = reduction_key(collective, reduction);
    Plan& plan = plan_for(*state, key, {collective, type, op, count, 0});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(reduction.element, in_place ? out : in, *state);
    Memory& memory = state->own().memory();
    const void* const source = in_place ? out : in;
    const bool sends_only = gets_nothing && !plan.writes_data;
    void* const data = !gets_nothing ? result_vector(memory, reduction, out)
                       : sends_only  ? const_cast<void*>(source)
                                     : memory.working_vector(reduction.element, key.count);
    begin(plan, *state, reduction, op, data);
    memory.take(source, key.count);
    run(plan, *state, key);
    if (!gets_nothing) memory.hand_over(out, {0, key.count});
    return MPI_SUCCESS;
}

}  // namespace

int front_reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) {
    return reduce_scatter(in, out, counts, type, op, comm);
}

int front_reduce_scatter(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) {
    return reduce_scatter(in, out, counts, type, op, comm);
}

int front_reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
    constexpr auto collective = Collective::reduce_scatter;
    const auto native = [&] { return native_reduce_scatter_block(in, out, count, type, op, comm); };
    State* const state = looks_at(collective, comm,
                                  reducible(out, count, type, op) && (in != out || !quirks::refuses_aliases));
    if (state == nullptr || !moves(Bytes(count), state->size())) return native();
    return reduce_to_blocks(*state, native, in, out, std::size_t(count) * std::size_t(state->size()), type,
                            op);
}

int front_scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return scan(
        Collective::scan, [&] { return native_scan(in, out, count, type, op, comm); }, in, out, count, type,
        op, comm);
}

int front_exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return scan(
        Collective::exscan, [&] { return native_exscan(in, out, count, type, op, comm); }, in, out, count,
        type, op, comm);
}

}  // namespace echelon
