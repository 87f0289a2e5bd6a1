// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "mpi/comm.hpp"
#include "mpi/counted_calls.hpp"
#include "mpi/quirks.hpp"

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
#define ECHELON_COMBINE_TO_BLOCKS(Count) \
    const void *in, void *out, const Count *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm
#define ECHELON_EXCHANGE_BLOCKS(Count)                                                    \
    const void *in, Count in_count, MPI_Datatype in_type, void *out, const Count *counts, \
        const echelon::PlaceOf<Count>*places, MPI_Datatype out_type, MPI_Comm comm
#define ECHELON_BLOCKS_TO_ROOT(Count)                                                     \
    const void *in, Count in_count, MPI_Datatype in_type, void *out, const Count *counts, \
        const echelon::PlaceOf<Count>*places, MPI_Datatype out_type, int root, MPI_Comm comm
#define ECHELON_BLOCKS_FROM_ROOT(Count)                                                              \
    const void *in, const Count *counts, const echelon::PlaceOf<Count>*places, MPI_Datatype in_type, \
        void *out, Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm
#define ECHELON_EXCHANGE_OWN_BLOCKS(Count)                                                                 \
    const void *in, const Count *in_counts, const echelon::PlaceOf<Count>*in_places, MPI_Datatype in_type, \
        void *out, const Count *counts, const echelon::PlaceOf<Count>*places, MPI_Datatype out_type,       \
        MPI_Comm comm
#define ECHELON_PASS_COMBINE in, out, count, type, op, comm
#define ECHELON_PASS_COMBINE_AT_ROOT in, out, count, type, op, root, comm
#define ECHELON_PASS_MOVE data, count, type, root, comm
#define ECHELON_PASS_EXCHANGE in, in_count, in_type, out, out_count, out_type, comm
#define ECHELON_PASS_EXCHANGE_AT_ROOT in, in_count, in_type, out, out_count, out_type, root, comm
#define ECHELON_PASS_COMBINE_TO_BLOCKS in, out, counts, type, op, comm
#define ECHELON_PASS_EXCHANGE_BLOCKS in, in_count, in_type, out, counts, places, out_type, comm
#define ECHELON_PASS_BLOCKS_TO_ROOT in, in_count, in_type, out, counts, places, out_type, root, comm
#define ECHELON_PASS_BLOCKS_FROM_ROOT in, counts, places, in_type, out, out_count, out_type, root, comm
#define ECHELON_PASS_EXCHANGE_OWN_BLOCKS \
    in, in_counts, in_places, in_type, out, counts, places, out_type, comm

namespace echelon {

/// MPI's type of the places of blocks with counts of type `Count`.
template <class Count>
using PlaceOf = std::conditional_t<std::is_same_v<Count, int>, int, MPI_Aint>;

/// The arguments of a call that its plan depends on, as the program passes them; `count` is of one block if a
/// rank has several. Count 0 marks a call whose arguments need a check: some libraries crash if a count is
/// negative or a buffer is missing.
struct PassedCall {
    Collective collective;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Count count;
    int root;
    [[gnu::always_inline]] friend bool operator==(const PassedCall&, const PassedCall&) = default;
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

template <class Number>
bool all_int(const Number* numbers, int count) {
    return std::all_of(numbers, numbers + count, [](Number one) { return is_int(one); });
}

/// Blocks in the user's memory, one for each rank: `counts[r]` elements, `places[r]` extents behind `data`.
template <class Count>
struct UserBlocks {
    const void* data;
    const Count* counts;
    const PlaceOf<Count>* places;
    MPI_Datatype type;

    void* writable() const { return const_cast<void*>(data); }
    bool is_short(int p) const { return all_int(counts, p) && all_int(places, p); }
};

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

/// True if a call with these counts uses the library's functions for ints: the counts are ints, or `all` of
/// them fit and the library has no other functions.
template <class Counts, class All>
bool fit_int(const All& all) {
    return std::is_same_v<Counts, int> || (!ECHELON_HAS_LARGE_COUNTS && all());
}

/// `count` numbers of the type that a call of the library takes.
template <class Number, class From>
std::vector<Number> converted(const From* numbers, int count) {
    return {numbers, numbers + count};
}

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
        return fit_int<Counts>([&] { return all_int(counts, size_of(comm)); });
    }
    template <class Count, class Function>
    int pass(const Function& function) const {
        if constexpr (std::is_same_v<Count, Counts>) {
            return function(in, out, counts, type, op, comm);
        } else {
            return function(in, out, converted<Count>(counts, size_of(comm)).data(), type, op, comm);
        }
    }
    /// Equal calls are not looked for: reading all counts would take longer than the usual path.
    PassedCall passed(int /*rank*/, int /*size*/) const { return {collective, type, op, 0, 0}; }
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

/// allgatherv.
template <class Counts>
struct ExchangeBlocks {
    static constexpr Collective collective = Collective::allgather;
    ExchangeBlocks(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                   const Counts* counts, const PlaceOf<Counts>* places, MPI_Datatype to_type, MPI_Comm among)
        : in{from, from_count, from_type}, out{to, counts, places, to_type}, comm(among) {}
    UserBuffer in;
    UserBlocks<Counts> out;
    MPI_Comm comm;

    bool is_short() const {
        return fit_int<Counts>([&] { return is_int(in.count) && out.is_short(owners_of(comm)); });
    }
    template <class Count, class Function>
    int pass(const Function& function) const {
        const auto call = [&](const Count* counts, const PlaceOf<Count>* places) {
            return function(in.data, Count(in.count), in.type, out.writable(), counts, places, out.type,
                            comm);
        };
        if constexpr (std::is_same_v<Count, Counts>) {
            return call(out.counts, out.places);
        } else {
            const int p = owners_of(comm);
            return call(converted<Count>(out.counts, p).data(),
                        converted<PlaceOf<Count>>(out.places, p).data());
        }
    }
    PassedCall passed(int /*rank*/, int /*size*/) const { return {collective, out.type, MPI_OP_NULL, 0, 0}; }
};

/// alltoallv. A rank knows the blocks that it sends and receives.
template <class Counts>
struct ExchangeOwnBlocks {
    static constexpr Collective collective = Collective::alltoall;
    ExchangeOwnBlocks(const void* from, const Counts* from_counts, const PlaceOf<Counts>* from_places,
                      MPI_Datatype from_type, void* to, const Counts* to_counts,
                      const PlaceOf<Counts>* to_places, MPI_Datatype to_type, MPI_Comm among)
        : in{from, from_counts, from_places, from_type},
          out{to, to_counts, to_places, to_type},
          comm(among) {}
    UserBlocks<Counts> in, out;
    MPI_Comm comm;

    /// In place, MPI ignores what describes the input.
    bool in_place() const { return in.data == MPI_IN_PLACE; }
    bool is_short() const {
        return fit_int<Counts>([&] {
            const int p = owners_of(comm);
            return out.is_short(p) && (in_place() || in.is_short(p));
        });
    }
    template <class Count, class Function>
    int pass(const Function& function) const {
        const auto call = [&](const Count* sent, const PlaceOf<Count>* from, const Count* received,
                              const PlaceOf<Count>* to) {
            return function(in.data, sent, from, in.type, out.writable(), received, to, out.type, comm);
        };
        if constexpr (std::is_same_v<Count, Counts>) {
            return call(in.counts, in.places, out.counts, out.places);
        } else {
            const int p = owners_of(comm), sent = in_place() ? 0 : p;
            return call(
                converted<Count>(in.counts, sent).data(), converted<PlaceOf<Count>>(in.places, sent).data(),
                converted<Count>(out.counts, p).data(), converted<PlaceOf<Count>>(out.places, p).data());
        }
    }
    /// The plan depends on no argument. The root makes it differ from those of alltoall.
    PassedCall passed(int /*rank*/, int /*size*/) const {
        return {collective, MPI_BYTE, MPI_OP_NULL, 1, MPI_PROC_NULL};
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

/// gatherv and scatterv. The root knows the blocks of all ranks, and each other rank its own.
template <Collective of, class Counts>
struct BlocksAtRoot {
    static constexpr Collective collective = of;
    BlocksAtRoot(const void* from, MPI_Count from_count, MPI_Datatype from_type, void* to,
                 const Counts* counts, const PlaceOf<Counts>* places, MPI_Datatype to_type, int at,
                 MPI_Comm among) requires(of == Collective::gather)
        : one{from, from_count, from_type}, each{to, counts, places, to_type}, root(at), comm(among) {}
    BlocksAtRoot(const void* from, const Counts* counts, const PlaceOf<Counts>* places,
                 MPI_Datatype from_type, void* to, MPI_Count to_count, MPI_Datatype to_type, int at,
                 MPI_Comm among) requires(of == Collective::scatter)
        : one{to, to_count, to_type}, each{from, counts, places, from_type}, root(at), comm(among) {}
    UserBuffer one;
    UserBlocks<Counts> each;
    int root;
    MPI_Comm comm;

    /// The same as in ExchangeAtRoot.
    const UserBuffer& own() const { return one; }
    const UserBlocks<Counts>& all() const { return each; }

    bool is_short() const {
        return fit_int<Counts>([&] { return is_int(one.count) && each.is_short(known()); });
    }
    template <class Count, class Function>
    int pass(const Function& function) const {
        const auto call = [&](const Count* counts, const PlaceOf<Count>* places) {
            if constexpr (of == Collective::gather) {
                return function(one.data, Count(one.count), one.type, each.writable(), counts, places,
                                each.type, root, comm);
            } else {
                return function(each.data, counts, places, each.type, one.writable(), Count(one.count),
                                one.type, root, comm);
            }
        };
        if constexpr (std::is_same_v<Count, Counts>) {
            return call(each.counts, each.places);
        } else {
            return call(converted<Count>(each.counts, known()).data(),
                        converted<PlaceOf<Count>>(each.places, known()).data());
        }
    }
    /// The plan depends on the root alone. Its number makes the call differ from a gather or scatter.
    PassedCall passed(int /*rank*/, int /*size*/) const { return {of, MPI_BYTE, MPI_OP_NULL, 1, ~root}; }

private:
    /// Number of blocks that this rank describes. Between two groups the root passes MPI_ROOT.
    int known() const { return is_root(comm, root) ? owners_of(comm) : 0; }
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
template <class Counts>
using Gatherv = BlocksAtRoot<Collective::gather, Counts>;
template <class Counts>
using Scatterv = BlocksAtRoot<Collective::scatter, Counts>;
template <class Counts>
using Allgatherv = ExchangeBlocks<Counts>;
template <class Counts>
using Alltoallv = ExchangeOwnBlocks<Counts>;
using Scan = Combine<Collective::scan>;
using Exscan = Combine<Collective::exscan>;
}  // namespace calls

}  // namespace echelon
