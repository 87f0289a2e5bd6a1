// SPDX-License-Identifier: Apache-2.0
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "front/native_call.hpp"

#include <echelon/echelon.h>

#include <limits>

namespace echelon {
namespace {

/// Nothing is left to be looked at: this is all that most calls take of us.
bool stays_native(Collective collective, MPI_Comm comm) {
    const State* const state = Recent::find(comm);
    return state != nullptr && state->plans().always_native(collective);
}

/// The same; or this very call came before. `passed` makes it of a state, with count 0 where its arguments
/// must be looked at: some libraries crash where a count is negative or a buffer missing.
template <class Passed>
bool stays_native(Collective collective, MPI_Comm comm, const Passed& passed) {
    State* const state = Recent::find(comm);
    return state != nullptr &&
           (state->plans().always_native(collective) || state->plans().repeats_native(passed(*state)));
}

/// All other calls. Apart, so that the short way keeps no room for it: what `call` holds are copies.
template <class Call>
[[gnu::noinline]] int looked_at(MPI_Comm comm, const Call& call) {
    return guarded(comm, call);
}

/// A buffer of one of these calls, as it is passed.
struct Passed {
    const void* data;
    MPI_Count count;
    MPI_Datatype type;
};

PassedCall passed_combination(Collective collective, const void* in, const void* out, MPI_Count count,
                              MPI_Datatype type, MPI_Op op) {
    return {collective, type, op, in != nullptr && out != nullptr ? count : 0, 0};
}

PassedCall passed_exchange(Collective collective, const Passed& in, const Passed& out) {
    const bool sound = in.data != nullptr && out.data != nullptr && in.count > 0;
    return {collective, out.type, MPI_OP_NULL, sound ? out.count : 0, 0};
}

/// `own` is one block, on every rank; `all` has one for each, at the root alone.
PassedCall passed_rooted(Collective collective, const State& state, const Passed& own, const Passed& all,
                         int root) {
    const bool at_root = state.rank() == root;
    const bool sound = own.data != nullptr && own.count > 0 && (all.data != nullptr || !at_root);
    const Passed& told = at_root ? all : own;
    return {collective, told.type, MPI_OP_NULL, sound ? told.count : 0, root};
}

}  // namespace
}  // namespace echelon

using namespace echelon;

int echelon_allreduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm) {
    const auto passed = [&](const State&) { return PassedCall{Collective::allreduce, type, op, count, 0}; };
    if (count > 0 && in != nullptr && out != nullptr && stays_native(Collective::allreduce, comm, passed))
        return native_allreduce(in, out, count, type, op, comm);
    return looked_at(comm, [=] { return front_allreduce(in, out, count, type, op, comm); });
}

int echelon_reduce(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm) {
    const auto passed = [&](const State& state) {
        const bool sound = in != nullptr && (out != nullptr || state.rank() != root);
        return PassedCall{Collective::reduce, type, op, sound ? count : 0, root};
    };
    if (stays_native(Collective::reduce, comm, passed))
        return native_reduce(in, out, count, type, op, root, comm);
    return looked_at(comm, [=] { return front_reduce(in, out, count, type, op, root, comm); });
}

int echelon_bcast(void* data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    const auto passed = [&](const State&) {
        return PassedCall{Collective::bcast, type, MPI_OP_NULL, data != nullptr ? count : 0, root};
    };
    if (stays_native(Collective::bcast, comm, passed)) return native_bcast(data, count, type, root, comm);
    return looked_at(comm, [=] { return front_bcast(data, count, type, root, comm); });
}

int echelon_barrier(MPI_Comm comm) {
    const auto passed = [](const State&) { return passed_barrier(); };
    if (stays_native(Collective::barrier, comm, passed)) return native_barrier(comm);
    return looked_at(comm, [=] { return front_barrier(comm); });
}

int echelon_gather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                   MPI_Datatype out_type, int root, MPI_Comm comm) {
    const auto passed = [&](const State& state) {
        return passed_rooted(Collective::gather, state, {in, in_count, in_type}, {out, out_count, out_type},
                             root);
    };
    if (stays_native(Collective::gather, comm, passed))
        return native_gather(in, in_count, in_type, out, out_count, out_type, root, comm);
    return looked_at(
        comm, [=] { return front_gather(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int echelon_scatter(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                    MPI_Datatype out_type, int root, MPI_Comm comm) {
    const auto passed = [&](const State& state) {
        return passed_rooted(Collective::scatter, state, {out, out_count, out_type}, {in, in_count, in_type},
                             root);
    };
    if (stays_native(Collective::scatter, comm, passed))
        return native_scatter(in, in_count, in_type, out, out_count, out_type, root, comm);
    return looked_at(
        comm, [=] { return front_scatter(in, in_count, in_type, out, out_count, out_type, root, comm); });
}

int echelon_allgather(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out,
                      MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm) {
    const auto passed = [&](const State&) {
        return passed_exchange(Collective::allgather, {in, in_count, in_type}, {out, out_count, out_type});
    };
    if (stays_native(Collective::allgather, comm, passed))
        return native_allgather(in, in_count, in_type, out, out_count, out_type, comm);
    return looked_at(comm,
                     [=] { return front_allgather(in, in_count, in_type, out, out_count, out_type, comm); });
}

int echelon_alltoall(const void* in, MPI_Count in_count, MPI_Datatype in_type, void* out, MPI_Count out_count,
                     MPI_Datatype out_type, MPI_Comm comm) {
    const auto passed = [&](const State&) {
        return passed_exchange(Collective::alltoall, {in, in_count, in_type}, {out, out_count, out_type});
    };
    if (stays_native(Collective::alltoall, comm, passed))
        return native_alltoall(in, in_count, in_type, out, out_count, out_type, comm);
    return looked_at(comm,
                     [=] { return front_alltoall(in, in_count, in_type, out, out_count, out_type, comm); });
}

int echelon_reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm) {
    if (stays_native(Collective::reduce_scatter, comm))
        return native_reduce_scatter(in, out, counts, type, op, comm);
    return looked_at(comm, [=] { return front_reduce_scatter(in, out, counts, type, op, comm); });
}

int echelon_reduce_scatter_c(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
    if (stays_native(Collective::reduce_scatter, comm))
        return native_reduce_scatter(in, out, counts, type, op, comm);
    return looked_at(comm, [=] { return front_reduce_scatter(in, out, counts, type, op, comm); });
}

int echelon_reduce_scatter_block(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm) {
    const auto passed = [&](const State& state) {
        const bool sound = in != nullptr && out != nullptr && count <= std::numeric_limits<int>::max();
        return PassedCall{Collective::reduce_scatter, type, op, sound ? count * state.size() : 0, 0};
    };
    if (stays_native(Collective::reduce_scatter, comm, passed))
        return native_reduce_scatter_block(in, out, count, type, op, comm);
    return looked_at(comm, [=] { return front_reduce_scatter_block(in, out, count, type, op, comm); });
}

int echelon_scan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto passed = [&](const State&) {
        return passed_combination(Collective::scan, in, out, count, type, op);
    };
    if (stays_native(Collective::scan, comm, passed)) return native_scan(in, out, count, type, op, comm);
    return looked_at(comm, [=] { return front_scan(in, out, count, type, op, comm); });
}

int echelon_exscan(const void* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const auto passed = [&](const State&) {
        return passed_combination(Collective::exscan, in, out, count, type, op);
    };
    if (stays_native(Collective::exscan, comm, passed)) return native_exscan(in, out, count, type, op, comm);
    return looked_at(comm, [=] { return front_exscan(in, out, count, type, op, comm); });
}
