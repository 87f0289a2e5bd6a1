// SPDX-License-Identifier: Apache-2.0
// The collectives in which every rank has a block, of equal length. They move bytes: what lies with gaps is
// packed, since ranks may describe the same bytes by different types.
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "front/items.hpp"
#include "front/native_call.hpp"
#include "front/plan_for.hpp"

#include <algorithm>

namespace echelon {
namespace {

bool described(const void* buffer, MPI_Count count, MPI_Datatype type) {
    return buffer == MPI_IN_PLACE || (count >= 0 && may_be_type(type));
}

/// A call that moves no bytes, or too many, or that the library must judge.
template <class Native>
int bypassed(State& state, Collective collective, const Native& native) {
    state.bypassed(collective, Bypass::arguments);
    return native();
}

std::byte* working_bytes(State& state, Bytes bytes) {
    return static_cast<std::byte*>(state.own().memory().working_vector(element_of(MPI_BYTE), bytes));
}

/// The beginning of a vector of which only this rank's block exists.
void* as_vector(std::byte* own_block, int rank, Bytes block) { return own_block - std::size_t(rank) * block; }

void check_committed(const Items& one, const Items& other, State& state) {
    for (const Items* items : {&one, &other}) check_committed(items->element, items->address, state);
}

void check_room(const char* what, Bytes has, Bytes arrives) {
    if (arrives > has)
        throw WrongArgument(MPI_ERR_TRUNCATE, std::string(what) + " has room for " + std::to_string(has) +
                                                  " bytes, and " + std::to_string(arrives) + " arrive");
}

}  // namespace

int front_allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, MPI_Comm comm) {
    constexpr auto collective = Collective::allgather;
    const auto native = [&] {
        return native_allgather(in, in_count, in_type, out, out_count, out_type, comm);
    };
    State* const state = looks_at(
        collective, comm,
        out != MPI_IN_PLACE && described(in, in_count, in_type) && described(out, out_count, out_type));
    if (state == nullptr) return native();
    check_buffer(out, out_count, out_type, "allgather: the receive buffer");
    const bool in_place = in == MPI_IN_PLACE;
    if (!in_place) check_buffer(in, in_count, in_type, "allgather: the send buffer");
    const int p = state->size(), rank = state->rank();
    const Items to(out, out_count, out_type), own = to.block(rank),
                                              from = in_place ? own : Items(in, in_count, in_type);
    const Bytes block = to.bytes();
    const bool aliased = !in_place && refused_alias(from, own);
    if (!moves(block, p) || from.bytes() != block || aliased) return bypassed(*state, collective, native);

    const PlanKey key = bytes_key(collective, block * std::size_t(p));
    Plan& plan = plan_for(*state, key, {collective, out_type, MPI_OP_NULL, out_count, 0});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(from, to, *state);
    std::byte* const data = to.dense() ? to.address : working_bytes(*state, key.count);
    from.copy_to(data + std::size_t(rank) * block, *state);
    begin_bytes(plan, *state, data);
    run(plan, *state, key);
    to.times(p).copy_from(data, *state);
    return MPI_SUCCESS;
}

int front_gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                 MPI_Datatype out_type, int root, MPI_Comm comm) {
    constexpr auto collective = Collective::gather;
    const auto native = [&] {
        return native_gather(in, in_count, in_type, out, out_count, out_type, root, comm);
    };
    State* const state = looks_at(collective, comm, true);
    if (state == nullptr || root < 0 || root >= state->size()) return native();
    const int p = state->size(), rank = state->rank();
    const bool at_root = rank == root, in_place = in == MPI_IN_PLACE;
    // What arrives is described at the root only.
    if (!described(in, in_count, in_type) || (in_place && !at_root)) return native();
    if (at_root && (out == MPI_IN_PLACE || !described(out, out_count, out_type))) return native();
    if (!in_place) check_buffer(in, in_count, in_type, "gather: the send buffer");
    if (at_root) check_buffer(out, out_count, out_type, "gather: the receive buffer");
    const Items to = at_root ? Items(out, out_count, out_type) : Items(in, in_count, in_type);
    const Items from = in_place ? to.block(rank) : Items(in, in_count, in_type);
    const Bytes block = to.bytes();
    const bool aliased = at_root && !in_place && refused_alias(from, to.block(rank));
    if (!moves(block, p) || aliased) return bypassed(*state, collective, native);
    check_room("gather: a block of the receive buffer", block, from.bytes());

    const PlanKey key = bytes_key(collective, block * std::size_t(p), root);
    Plan& plan = plan_for(
        *state, key,
        {collective, at_root ? out_type : in_type, MPI_OP_NULL, at_root ? out_count : in_count, root});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(from, to, *state);
    if (!at_root) {
        // Sent straight from the user's buffer where that is possible.
        std::byte* const own =
            from.dense() && !plan.writes_data ? from.address : working_bytes(*state, block);
        from.copy_to(own, *state);
        begin_bytes(plan, *state, as_vector(own, rank, block));
        run(plan, *state, key);
        return MPI_SUCCESS;
    }
    std::byte* const data = to.dense() ? to.address : working_bytes(*state, key.count);
    from.copy_to(data + std::size_t(rank) * block, *state);
    begin_bytes(plan, *state, data);
    run(plan, *state, key);
    to.times(p).copy_from(data, *state);
    return MPI_SUCCESS;
}

int front_scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm) {
    constexpr auto collective = Collective::scatter;
    const auto native = [&] {
        return native_scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
    };
    State* const state = looks_at(collective, comm, true);
    if (state == nullptr || root < 0 || root >= state->size()) return native();
    const int p = state->size(), rank = state->rank();
    const bool at_root = rank == root, in_place = out == MPI_IN_PLACE;
    // What is sent is described at the root only.
    if (!described(out, out_count, out_type) || (in_place && !at_root)) return native();
    if (at_root && (in == MPI_IN_PLACE || !described(in, in_count, in_type))) return native();
    if (!in_place) check_buffer(out, out_count, out_type, "scatter: the receive buffer");
    if (at_root) check_buffer(in, in_count, in_type, "scatter: the send buffer");
    const Items from = at_root ? Items(in, in_count, in_type) : Items(out, out_count, out_type);
    const Items to = in_place ? from.block(rank) : Items(out, out_count, out_type);
    const Bytes block = from.bytes();
    const bool aliased = at_root && !in_place && refused_alias(from.block(rank), to);
    if (!moves(block, p) || aliased) return bypassed(*state, collective, native);
    check_room("scatter: the receive buffer", to.bytes(), block);

    const PlanKey key = bytes_key(collective, block * std::size_t(p), root);
    Plan& plan = plan_for(
        *state, key,
        {collective, at_root ? in_type : out_type, MPI_OP_NULL, at_root ? in_count : out_count, root});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(from, to, *state);
    if (!at_root) {
        std::byte* const own = to.dense() ? to.address : working_bytes(*state, block);
        begin_bytes(plan, *state, as_vector(own, rank, block));
        run(plan, *state, key);
        to.copy_from(own, *state);
        return MPI_SUCCESS;
    }
    // The root's vector is only read.
    std::byte* const data = from.dense() ? from.address : working_bytes(*state, key.count);
    from.times(p).copy_to(data, *state);
    begin_bytes(plan, *state, data);
    run(plan, *state, key);
    if (in_place) return MPI_SUCCESS;
    Items own = to;
    own.count = block / std::max<Bytes>(to.element.size, 1);
    own.copy_from(data + std::size_t(rank) * block, *state);
    return MPI_SUCCESS;
}

int front_alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, MPI_Comm comm) {
    constexpr auto collective = Collective::alltoall;
    const auto native = [&] {
        return native_alltoall(in, in_count, in_type, out, out_count, out_type, comm);
    };
    State* const state = looks_at(
        collective, comm,
        out != MPI_IN_PLACE && described(in, in_count, in_type) && described(out, out_count, out_type));
    if (state == nullptr) return native();
    check_buffer(out, out_count, out_type, "alltoall: the receive buffer");
    const bool in_place = in == MPI_IN_PLACE;
    if (!in_place) check_buffer(in, in_count, in_type, "alltoall: the send buffer");
    const int p = state->size();
    const Items to(out, out_count, out_type), from = in_place ? to : Items(in, in_count, in_type);
    const Bytes block = to.bytes();
    const bool same = in_place || in == out;
    const bool aliased = !in_place && refused_alias(from, to);
    if (!moves(block, p) || from.bytes() != block || aliased) return bypassed(*state, collective, native);

    const PlanKey key = bytes_key(collective, block * std::size_t(p));
    Plan& plan = plan_for(*state, key, {collective, out_type, MPI_OP_NULL, out_count, 0});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(from, to, *state);
    // What is sent and what arrives must not lie in the same place.
    const bool moves_input = same || !from.dense();
    const Bytes first = moves_input ? key.count : 0, second = to.dense() ? 0 : key.count;
    std::byte* const working = first + second > 0 ? working_bytes(*state, first + second) : nullptr;
    const std::byte* const input = moves_input ? working : from.address;
    std::byte* const data = to.dense() ? to.address : working + first;
    if (moves_input) from.times(p).copy_to(working, *state);
    begin_bytes(plan, *state, data, input);
    run(plan, *state, key);
    to.times(p).copy_from(data, *state);
    return MPI_SUCCESS;
}

}  // namespace echelon
