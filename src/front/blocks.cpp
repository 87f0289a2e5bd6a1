// SPDX-License-Identifier: Apache-2.0
// The collectives in which every rank has a block. They move bytes: data with gaps is
// packed, since ranks may describe the same bytes by different types.
#include "front/block_arguments.hpp"
#include "front/front_door.hpp"
#include "front/nonblocking.hpp"
#include "front/serve.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// The start of a vector of which only this rank's block exists.
void* as_vector(std::byte* own_block, int rank, Bytes block) { return own_block - std::size_t(rank) * block; }

template <class How>
int serve(const calls::Allgather& call, const How& how) {
    State* const state = state_for_exchange(call);
    if (state == nullptr) return how.native(call);
    const bool in_place = call.in.data == MPI_IN_PLACE;
    check_buffer(call.out, "allgather: the receive buffer");
    if (!in_place) check_buffer(call.in, "allgather: the send buffer");
    const int p = state->size(), rank = state->rank();
    const Items to = how.kept(Items(call.out)), own = to.block(rank),
                from = in_place ? own : how.kept_to_begin(Items(call.in));
    const Bytes block = to.bytes();
    const bool aliased = !in_place && refused_alias(from, own);
    if (!moves(block, p) || from.bytes() != block || aliased) return bypassed(call, *state, how);

    const PlanKey key = bytes_key(call.collective, block * std::size_t(p));
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(from, to, memory);
        std::byte* const data = to.times(p).room(memory);
        from.copy_to(data + std::size_t(rank) * block, memory);
        begin_bytes(plan, memory, data);
    };
    const auto end = [=](Memory& memory) { to.times(p).copy_from(memory.data(), memory); };
    return how.by_plan(call, *state, key, begin, end);
}

template <class Count, class How>
int serve(const calls::Allgatherv<Count>& call, const How& how) {
    State* const state =
        state_for(call, call.out.data != MPI_IN_PLACE && described(call.in) && described(call.out));
    if (state == nullptr) return how.native(call);
    const bool in_place = call.in.data == MPI_IN_PLACE;
    const int p = state->size(), rank = state->rank();
    check_blocks(call.out, p, "allgatherv: the receive buffer");
    if (!in_place) check_buffer(call.in, "allgatherv: the send buffer");
    if (!are_allowed(call.out, p)) return bypassed(call, *state, how);
    const auto to = std::make_shared<BlockItems>(call.out, p);
    to->change([&](const Items& items) { return how.kept(items); });
    const Items own = (*to)[rank], from = in_place ? own : how.kept_to_begin(Items(call.in));
    const bool aliased = !in_place && own.bytes() > 0 && refused_alias(from, own);
    if (to->bytes() == 0 || from.bytes() != own.bytes() || aliased) return bypassed(call, *state, how);

    PlanKey key = bytes_key(call.collective, to->bytes());
    key.lengths = to->lengths();
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(from, own, memory);
        std::byte* const data = to->room(memory);
        if (own.bytes() > 0) from.copy_to(data + to->start(rank), memory);
        begin_bytes(plan, memory, data);
    };
    const auto end = [=](Memory& memory) { to->copy_from(memory.data(), memory); };
    if (key.lengths == BlockLengths::equal) return how.by_plan(call, *state, key, begin, end);
    const GivenBlocks given{to->blocks()};
    return how.by_plan(call, *state, key, begin, end, &given);
}

template <class How>
int serve(const calls::Gather& call, const How& how) {
    State* const state = state_for_rooted(call);
    if (state == nullptr) return how.native(call);
    const int p = state->size(), rank = state->rank();
    const bool at_root = rank == call.root, in_place = call.in.data == MPI_IN_PLACE;
    if (!in_place) check_buffer(call.in, "gather: the send buffer");
    if (at_root) check_buffer(call.out, "gather: the receive buffer");
    const Items to = how.kept(Items(at_root ? call.out : call.in)),
                from = in_place  ? to.block(rank)
                       : at_root ? how.kept_to_begin(Items(call.in))
                                 : to;
    const Bytes block = to.bytes();
    const bool aliased = at_root && !in_place && refused_alias(from, to.block(rank));
    if (!moves(block, p) || aliased) return bypassed(call, *state, how);
    check_room("gather: a block of the receive buffer", block, from.bytes());

    const PlanKey key = bytes_key(call.collective, block * std::size_t(p), call.root);
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(from, to, memory);
        // Other ranks send from the user's buffer if possible.
        std::byte* const data = at_root            ? to.times(p).room(memory)
                                : plan.writes_data ? working_bytes(memory, block)
                                                   : from.room(memory);
        from.copy_to(at_root ? data + std::size_t(rank) * block : data, memory);
        begin_bytes(plan, memory, at_root ? data : as_vector(data, rank, block));
    };
    const auto end = [=](Memory& memory) {
        if (at_root) to.times(p).copy_from(memory.data(), memory);
    };
    return how.by_plan(call, *state, key, begin, end);
}

template <class How>
int serve(const calls::Scatter& call, const How& how) {
    State* const state = state_for_rooted(call);
    if (state == nullptr) return how.native(call);
    const int p = state->size(), rank = state->rank();
    const bool at_root = rank == call.root, in_place = call.out.data == MPI_IN_PLACE;
    if (!in_place) check_buffer(call.out, "scatter: the receive buffer");
    if (at_root) check_buffer(call.in, "scatter: the send buffer");
    const Items own = in_place ? Items(call.in) : how.kept(Items(call.out)),
                from = at_root ? how.kept_to_begin(Items(call.in)) : own,
                to = in_place ? from.block(rank) : own;
    const Bytes block = from.bytes();
    const bool aliased = at_root && !in_place && refused_alias(from.block(rank), to);
    if (!moves(block, p) || aliased) return bypassed(call, *state, how);
    check_room("scatter: the receive buffer", to.bytes(), block);

    const PlanKey key = bytes_key(call.collective, block * std::size_t(p), call.root);
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(from, to, memory);
        if (!at_root) return begin_bytes(plan, memory, as_vector(to.room(memory), rank, block));
        // The root only reads its vector.
        const Items all = from.times(p);
        std::byte* const data = all.room(memory);
        all.copy_to(data, memory);
        begin_bytes(plan, memory, data);
    };
    const auto end = [=](Memory& memory) {
        if (at_root && in_place) return;
        Items own = to;
        if (at_root) own.count = block / std::max<Bytes>(to.element.size, 1);
        own.copy_from(memory.data() + std::size_t(rank) * block, memory);
    };
    return how.by_plan(call, *state, key, begin, end);
}

template <class How>
int serve(const calls::Alltoall& call, const How& how) {
    State* const state = state_for_exchange(call);
    if (state == nullptr) return how.native(call);
    const bool in_place = call.in.data == MPI_IN_PLACE;
    check_buffer(call.out, "alltoall: the receive buffer");
    if (!in_place) check_buffer(call.in, "alltoall: the send buffer");
    const int p = state->size();
    const Items to = how.kept(Items(call.out)), from = in_place ? to : how.kept_to_begin(Items(call.in));
    const Bytes block = to.bytes();
    const bool aliased = !in_place && refused_alias(from, to);
    if (!moves(block, p) || from.bytes() != block || aliased) return bypassed(call, *state, how);

    const PlanKey key = bytes_key(call.collective, block * std::size_t(p));
    const auto begin = [=](const Plan& plan, Memory& memory) {
        check_committed(from, to, memory);
        // Input and output must not overlap.
        const bool moves_input = in_place || call.in.data == call.out.data || !from.dense();
        const Bytes first = moves_input ? key.count : 0, second = to.dense() ? 0 : key.count;
        std::byte* const working = first + second > 0 ? working_bytes(memory, first + second) : nullptr;
        const std::byte* const input = moves_input ? working : from.address;
        std::byte* const data = to.dense() ? to.address : working + first;
        if (moves_input) from.times(p).copy_to(working, memory);
        begin_bytes(plan, memory, data, input);
    };
    const auto end = [=](Memory& memory) { to.times(p).copy_from(memory.data(), memory); };
    return how.by_plan(call, *state, key, begin, end);
}

}  // namespace

ECHELON_SERVE(Allgather)
ECHELON_SERVE(Allgatherv<int>)
ECHELON_SERVE(Allgatherv<MPI_Count>)
ECHELON_SERVE(Gather)
ECHELON_SERVE(Scatter)
ECHELON_SERVE(Alltoall)

}  // namespace echelon
