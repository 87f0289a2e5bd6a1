// SPDX-License-Identifier: Apache-2.0
#include "front/front_door.hpp"

#include "front/native_call.hpp"
#include "front/plan_for.hpp"
#include "front/serve.hpp"

namespace echelon {

int front_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto native = [&] { return native_allreduce(in, out, count, type, op, comm); };
    check_buffer(in, count, type, "allreduce: the send buffer");
    check_buffer(out, count, type, "allreduce: the receive buffer");
    State* const state = looks_at(Collective::allreduce, comm, reducible(out, count, type, op) && in != out);
    if (state == nullptr) return native();
    const Reduction reduction(*state, Collective::allreduce, type, op, std::size_t(count));
    if (!reduction.combination.served) return native();

    const PlanKey key = reduction_key(Collective::allreduce, reduction);
    Plan& plan = plan_for(*state, key, {Collective::allreduce, type, op, count, 0});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(reduction.element, out, *state);
    Memory& memory = state->own().memory();
    begin(plan, *state, reduction, op, result_vector(memory, reduction, out));
    memory.take(in == MPI_IN_PLACE ? out : in, key.count);
    run(plan, *state, key);
    memory.hand_over(out, {0, key.count});
    return MPI_SUCCESS;
}

int front_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm) {
    const auto native = [&] { return native_reduce(in, out, count, type, op, root, comm); };
    State* const state = looks_at(Collective::reduce, comm, reducible(nullptr, count, type, op));
    if (state == nullptr || root < 0 || root >= state->size()) return native();
    const Reduction reduction(*state, Collective::reduce, type, op, std::size_t(count));
    // Only the root has a result; what the others pass there is not looked at.
    const bool at_root = state->rank() == root;
    check_buffer(in, count, type, "reduce: the send buffer");
    if (at_root) check_buffer(out, count, type, "reduce: the receive buffer");
    if (!reduction.combination.served || (at_root ? in == out || out == MPI_IN_PLACE : in == MPI_IN_PLACE))
        return native();

    const PlanKey key = reduction_key(Collective::reduce, reduction, root);
    Plan& plan = plan_for(*state, key, {Collective::reduce, type, op, count, root});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(reduction.element, at_root ? out : in, *state);
    // A rank that only sends does so straight from the user's buffer.
    const bool sends_only = !at_root && !plan.writes_data;
    Memory& memory = state->own().memory();
    void* const data = at_root      ? result_vector(memory, reduction, out)
                       : sends_only ? const_cast<void*>(in)
                                    : memory.working_vector(reduction.element, key.count);
    begin(plan, *state, reduction, op, data);
    memory.take(in == MPI_IN_PLACE ? out : in, key.count);
    run(plan, *state, key);
    if (at_root) memory.hand_over(out, {0, key.count});
    return MPI_SUCCESS;
}

int front_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    const auto native = [&] { return native_bcast(data, count, type, root, comm); };
    // Ranks may describe no bytes differently, so this does not ask for the count.
    State* const state =
        looks_at(Collective::bcast, comm, data != MPI_IN_PLACE && count >= 0 && may_be_type(type));
    if (state == nullptr || root < 0 || root >= state->size()) return native();
    const Element element = element_of(type);
    const Bytes bytes = element.bytes(std::size_t(count));
    if (!moves(bytes) || (data == nullptr && element.plain)) {
        state->bypassed(Collective::bcast, Bypass::arguments);
        return native();
    }

    const PlanKey key = bytes_key(Collective::bcast, bytes, root);
    Plan& plan = plan_for(*state, key, {Collective::bcast, type, MPI_OP_NULL, count, root});
    const Timed timed(plan);
    if (plan.native()) return native();
    check_committed(element, data, *state);
    if (element.dense()) {
        begin_bytes(plan, *state, data);
        run(plan, *state, key);
        return MPI_SUCCESS;
    }
    void* const packed = state->own().memory().working_vector(element_of(MPI_BYTE), bytes);
    if (state->rank() == root) pack(packed, data, std::size_t(count), element, state->own().self());
    begin_bytes(plan, *state, packed);
    run(plan, *state, key);
    if (state->rank() != root) unpack(data, packed, std::size_t(count), element, state->own().self());
    return MPI_SUCCESS;
}

int front_barrier(MPI_Comm comm) {
    State* const state = looks_at(Collective::barrier, comm, true);
    if (state == nullptr) return native_barrier(comm);
    const PlanKey key = bytes_key(Collective::barrier, 0);
    Plan& plan = plan_for(*state, key, passed_barrier());
    const Timed timed(plan);
    if (plan.native()) return native_barrier(comm);
    begin_bytes(plan, *state, nullptr);
    run(plan, *state, key);
    return MPI_SUCCESS;
}

}  // namespace echelon
