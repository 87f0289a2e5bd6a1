// SPDX-License-Identifier: Apache-2.0
// The collectives in which every rank has a block, all of equal length. They move bytes: data with gaps is
// packed, since ranks may describe the same bytes by different types.
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "front/items.hpp"
#include "front/serve.hpp"

#include <algorithm>

namespace echelon {
namespace {

bool described(const UserBuffer& buffer) {
    return buffer.data == MPI_IN_PLACE || (buffer.count >= 0 && may_be_type(buffer.type));
}

/// The start of a vector of which only this rank's block exists.
void* as_vector(std::byte* own_block, int rank, Bytes block) { return own_block - std::size_t(rank) * block; }

void check_committed(const Items& one, const Items& other, State& state) {
    for (const Items* items : {&one, &other}) check_committed(items->element, items->address, state);
}

void check_room(const char* what, Bytes has, Bytes arrives) {
    if (arrives > has)
        throw WrongArgument(MPI_ERR_TRUNCATE, std::string(what) + " has room for " + std::to_string(has) +
                                                  " bytes, and " + std::to_string(arrives) + " arrive");
}

/// The state for a call in which every rank sends and receives.
template <class Call>
State* state_for_exchange(const Call& call) {
    return state_for(call, call.out.data != MPI_IN_PLACE && described(call.in) && described(call.out));
}

/// The state for a call with a root. The vector of all blocks is described at the root only.
template <class Call>
State* state_for_rooted(const Call& call) {
    State* const state = state_for(call, true);
    if (state == nullptr || !has_rank(*state, call.root)) return nullptr;
    const bool at_root = state->rank() == call.root;
    const bool own = described(call.own()) && (call.own().data != MPI_IN_PLACE || at_root);
    const bool all = !at_root || (call.all().data != MPI_IN_PLACE && described(call.all()));
    return own && all ? state : nullptr;
}

}  // namespace

int front_call(const calls::Allgather& call) {
    State* const state = state_for_exchange(call);
    if (state == nullptr) return native_call(call);
    const bool in_place = call.in.data == MPI_IN_PLACE;
    check_buffer(call.out, "allgather: the receive buffer");
    if (!in_place) check_buffer(call.in, "allgather: the send buffer");
    const int p = state->size(), rank = state->rank();
    const Items to(call.out), own = to.block(rank), from = in_place ? own : Items(call.in);
    const Bytes block = to.bytes();
    const bool aliased = !in_place && refused_alias(from, own);
    if (!moves(block, p) || from.bytes() != block || aliased) return bypassed(call, *state);

    const PlanKey key = bytes_key(call.collective, block * std::size_t(p));
    return by_plan(call, *state, key, [&](Plan& plan) {
        check_committed(from, to, *state);
        const Items all = to.times(p);
        std::byte* const data = all.room(*state);
        from.copy_to(data + std::size_t(rank) * block, *state);
        begin_bytes(plan, *state, data);
        run(plan, *state, key);
        all.copy_from(data, *state);
    });
}

int front_call(const calls::Gather& call) {
    State* const state = state_for_rooted(call);
    if (state == nullptr) return native_call(call);
    const int p = state->size(), rank = state->rank();
    const bool at_root = rank == call.root, in_place = call.in.data == MPI_IN_PLACE;
    if (!in_place) check_buffer(call.in, "gather: the send buffer");
    if (at_root) check_buffer(call.out, "gather: the receive buffer");
    const Items to(at_root ? call.out : call.in), from = in_place ? to.block(rank) : Items(call.in);
    const Bytes block = to.bytes();
    const bool aliased = at_root && !in_place && refused_alias(from, to.block(rank));
    if (!moves(block, p) || aliased) return bypassed(call, *state);
    check_room("gather: a block of the receive buffer", block, from.bytes());

    const PlanKey key = bytes_key(call.collective, block * std::size_t(p), call.root);
    return by_plan(call, *state, key, [&](Plan& plan) {
        check_committed(from, to, *state);
        const Items all = to.times(p);
        // Other ranks send from the user's buffer if possible.
        std::byte* const data = at_root            ? all.room(*state)
                                : plan.writes_data ? working_bytes(*state, block)
                                                   : from.room(*state);
        from.copy_to(at_root ? data + std::size_t(rank) * block : data, *state);
        begin_bytes(plan, *state, at_root ? data : as_vector(data, rank, block));
        run(plan, *state, key);
        if (at_root) all.copy_from(data, *state);
    });
}

int front_call(const calls::Scatter& call) {
    State* const state = state_for_rooted(call);
    if (state == nullptr) return native_call(call);
    const int p = state->size(), rank = state->rank();
    const bool at_root = rank == call.root, in_place = call.out.data == MPI_IN_PLACE;
    if (!in_place) check_buffer(call.out, "scatter: the receive buffer");
    if (at_root) check_buffer(call.in, "scatter: the send buffer");
    const Items from(at_root ? call.in : call.out), to = in_place ? from.block(rank) : Items(call.out);
    const Bytes block = from.bytes();
    const bool aliased = at_root && !in_place && refused_alias(from.block(rank), to);
    if (!moves(block, p) || aliased) return bypassed(call, *state);
    check_room("scatter: the receive buffer", to.bytes(), block);

    const PlanKey key = bytes_key(call.collective, block * std::size_t(p), call.root);
    return by_plan(call, *state, key, [&](Plan& plan) {
        check_committed(from, to, *state);
        if (!at_root) {
            std::byte* const own = to.room(*state);
            begin_bytes(plan, *state, as_vector(own, rank, block));
            run(plan, *state, key);
            to.copy_from(own, *state);
            return;
        }
        // The root only reads its vector.
        const Items all = from.times(p);
        std::byte* const data = all.room(*state);
        all.copy_to(data, *state);
        begin_bytes(plan, *state, data);
        run(plan, *state, key);
        if (in_place) return;
        Items own = to;
        own.count = block / std::max<Bytes>(to.element.size, 1);
        own.copy_from(data + std::size_t(rank) * block, *state);
    });
}

int front_call(const calls::Alltoall& call) {
    State* const state = state_for_exchange(call);
    if (state == nullptr) return native_call(call);
    const bool in_place = call.in.data == MPI_IN_PLACE;
    check_buffer(call.out, "alltoall: the receive buffer");
    if (!in_place) check_buffer(call.in, "alltoall: the send buffer");
    const int p = state->size();
    const Items to(call.out), from = in_place ? to : Items(call.in);
    const Bytes block = to.bytes();
    const bool aliased = !in_place && refused_alias(from, to);
    if (!moves(block, p) || from.bytes() != block || aliased) return bypassed(call, *state);

    const PlanKey key = bytes_key(call.collective, block * std::size_t(p));
    return by_plan(call, *state, key, [&](Plan& plan) {
        check_committed(from, to, *state);
        // Input and output must not overlap.
        const bool moves_input = in_place || call.in.data == call.out.data || !from.dense();
        const Bytes first = moves_input ? key.count : 0, second = to.dense() ? 0 : key.count;
        std::byte* const working = first + second > 0 ? working_bytes(*state, first + second) : nullptr;
        const std::byte* const input = moves_input ? working : from.address;
        std::byte* const data = to.dense() ? to.address : working + first;
        if (moves_input) from.times(p).copy_to(working, *state);
        begin_bytes(plan, *state, data, input);
        run(plan, *state, key);
        to.times(p).copy_from(data, *state);
    });
}

}  // namespace echelon
