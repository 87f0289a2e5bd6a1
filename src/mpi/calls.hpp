// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "mpi/comm.hpp"
#include "mpi/counted_calls.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

// The collectives as a program calls them: one value for each form of arguments. All bindings make these
// values and all layers pass them on.

/// The parameters of each form in C, and the arguments that pass them on.
#define ECHELON_COMBINE(Count) \
    const void *in, void *out, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm
#define ECHELON_COMBINE_AT_ROOT(Count) \
    const void *in, void *out, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm
#define ECHELON_MOVE(Count) void *data, Count count, MPI_Datatype type, int root, MPI_Comm comm
#define ECHELON_EXCHANGE(Count)                                                                              \
    const void *in, Count in_count, MPI_Datatype in_type, void *out, Count out_count, MPI_Datatype out_type, \
        MPI_Comm comm
#define ECHELON_EXCHANGE_AT_ROOT(Count)                                                                      \
    const void *in, Count in_count, MPI_Datatype in_type, void *out, Count out_count, MPI_Datatype out_type, \
        int root, MPI_Comm comm
#define ECHELON_PASS_COMBINE in, out, count, type, op, comm
#define ECHELON_PASS_COMBINE_AT_ROOT in, out, count, type, op, root, comm
#define ECHELON_PASS_MOVE data, count, type, root, comm
#define ECHELON_PASS_EXCHANGE in, in_count, in_type, out, out_count, out_type, comm
#define ECHELON_PASS_EXCHANGE_AT_ROOT in, in_count, in_type, out, out_count, out_type, root, comm

namespace echelon {

/// The arguments of a call that its plan depends on, as the program passes them; `count` is of one block if a
/// rank has several. Count 0 marks a call whose arguments need a check: some libraries crash if a count is
/// negative or a buffer is missing.
struct PassedCall {
    Collective collective;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Count count;
    int root;
    friend bool operator==(const PassedCall&, const PassedCall&) = default;
};

/// Consecutive elements in the user's memory.
struct UserBuffer {
    const void* data;
    MPI_Count count;
    MPI_Datatype type;

    void* writable() const { return const_cast<void*>(data); }
};

inline bool is_int(MPI_Count count) {
    return count >= std::numeric_limits<int>::min() && count <= std::numeric_limits<int>::max();
}

namespace calls {

// Each form has the same members: `pass<Count>(function)` calls an MPI function whose counts are of type
// `Count`; int is enough if `is_short()`. `passed(rank, size)` returns the arguments that the plan depends
// on, on that rank of `size` ranks.

/// allreduce, scan, exscan; and reduce_scatter_block, in which each rank gets `count` elements.
template <Collective of>
struct Combine {
    static constexpr Collective collective = of;
    const void* in;
    void* out;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;

    bool is_short() const { return is_int(count); }
    template <class Count, class Function>
    int pass(const Function& function) const {
        return function(in, out, Count(count), type, op, comm);
    }
    PassedCall passed(int /*rank*/, int size) const {
        constexpr bool each = of == Collective::reduce_scatter;
        const bool sound = in != nullptr && out != nullptr && (!each || is_int(count));
        return {of, type, op, !sound ? 0 : each ? count * size : count, 0};
    }
};

struct CombineAtRoot {
    static constexpr Collective collective = Collective::reduce;
    const void* in;
    void* out;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    int root;
    MPI_Comm comm;

    bool is_short() const { return is_int(count); }
    template <class Count, class Function>
    int pass(const Function& function) const {
        return function(in, out, Count(count), type, op, root, comm);
    }
    PassedCall passed(int rank, int /*size*/) const {
        const bool sound = in != nullptr && (out != nullptr || rank != root);
        return {collective, type, op, sound ? count : 0, root};
    }
};

/// reduce_scatter: `counts` has one count for each rank.
template <class Counts>
struct CombineToBlocks {
    static constexpr Collective collective = Collective::reduce_scatter;
    const void* in;
    void* out;
    const Counts* counts;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;

    bool is_short() const {
        return std::is_same_v<Counts, int> || std::all_of(counts, counts + size_of(comm), is_int);
    }
    template <class Count, class Function>
    int pass(const Function& function) const {
        if constexpr (std::is_same_v<Count, Counts>) {
            return function(in, out, counts, type, op, comm);
        } else {
            const std::vector<Count> others(counts, counts + size_of(comm));
            return function(in, out, others.data(), type, op, comm);
        }
    }
    PassedCall passed(int /*rank*/, int size) const {
        MPI_Count total = 0;
        for (int r = 0; r < size; ++r) total += counts[r];
        return {collective, type, op, total, 0};
    }
};

struct Move {
    static constexpr Collective collective = Collective::bcast;
    void* data;
    MPI_Count count;
    MPI_Datatype type;
    int root;
    MPI_Comm comm;

    bool is_short() const { return is_int(count); }
    template <class Count, class Function>
    int pass(const Function& function) const {
        return function(data, Count(count), type, root, comm);
    }
    PassedCall passed(int /*rank*/, int /*size*/) const {
        return {collective, type, MPI_OP_NULL, data != nullptr ? count : 0, root};
    }
};

/// allgather and alltoall. The counts are of one block.
template <Collective of>
struct Exchange {
    static constexpr Collective collective = of;
    Exchange(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to, MPI_Count to_count,
             MPI_Datatype to_type, MPI_Comm among)
        : in{from, from_count, from_type}, out{to, to_count, to_type}, comm(among) {}
    UserBuffer in, out;
    MPI_Comm comm;

    bool is_short() const { return is_int(in.count) && is_int(out.count); }
    template <class Count, class Function>
    int pass(const Function& function) const {
        return function(in.data, Count(in.count), in.type, out.writable(), Count(out.count), out.type, comm);
    }
    PassedCall passed(int /*rank*/, int /*size*/) const {
        const bool sound = in.data != nullptr && out.data != nullptr && in.count > 0;
        return {of, out.type, MPI_OP_NULL, sound ? out.count : 0, 0};
    }
};

/// gather and scatter. The counts are of one block.
template <Collective of>
struct ExchangeAtRoot {
    static constexpr Collective collective = of;
    ExchangeAtRoot(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                   MPI_Count to_count, MPI_Datatype to_type, int at, MPI_Comm among)
        : in{from, from_count, from_type}, out{to, to_count, to_type}, root(at), comm(among) {}
    UserBuffer in, out;
    int root;
    MPI_Comm comm;

    /// The buffer of one block on every rank, and the root's buffer of one block for each rank.
    const UserBuffer& own() const { return of == Collective::gather ? in : out; }
    const UserBuffer& all() const { return of == Collective::gather ? out : in; }

    bool is_short() const { return is_int(in.count) && is_int(out.count); }
    template <class Count, class Function>
    int pass(const Function& function) const {
        return function(in.data, Count(in.count), in.type, out.writable(), Count(out.count), out.type, root,
                        comm);
    }
    PassedCall passed(int rank, int /*size*/) const {
        const bool at_root = rank == root;
        const bool sound = own().data != nullptr && own().count > 0 && (all().data != nullptr || !at_root);
        const UserBuffer& told = at_root ? all() : own();
        return {of, told.type, MPI_OP_NULL, sound ? told.count : 0, root};
    }
};

struct Meet {
    static constexpr Collective collective = Collective::barrier;
    MPI_Comm comm;

    PassedCall passed(int /*rank*/, int /*size*/) const { return {collective, MPI_BYTE, MPI_OP_NULL, 1, 0}; }
};

// The form of each MPI function.
using Allreduce = Combine<Collective::allreduce>;
using Reduce = CombineAtRoot;
using Bcast = Move;
using Barrier = Meet;
using Gather = ExchangeAtRoot<Collective::gather>;
using Scatter = ExchangeAtRoot<Collective::scatter>;
using Allgather = Exchange<Collective::allgather>;
using Alltoall = Exchange<Collective::alltoall>;
template <class Counts>
using Reduce_scatter = CombineToBlocks<Counts>;
using Reduce_scatter_block = Combine<Collective::reduce_scatter>;
using Scan = Combine<Collective::scan>;
using Exscan = Combine<Collective::exscan>;
}  // namespace calls

}  // namespace echelon
