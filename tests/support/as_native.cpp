// SPDX-License-Identifier: Apache-2.0
#include "support/as_native.hpp"

#include "cache/state.hpp"
#include "flat/catalog.hpp"
#include "front/native_call.hpp"
#include "mpi/any_call.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <echelon/echelon.hpp>
#include <map>
#include <type_traits>

namespace echelon {
namespace {

#define ECHELON_OURS(Name, name, ...) \
    int ours(const calls::Name& call) { return call.pass<MPI_Count>(name); }
ECHELON_COUNTED_CALLS(ECHELON_OURS)
#undef ECHELON_OURS
int ours(const calls::Barrier& call) { return barrier(call.comm); }

/// Elements without values, between guard bytes that no call may touch.
class Elements {
public:
    Elements(const Kind& kind, std::size_t count)
        : kind_(&kind), bytes_(2 * guard + count * kind.stride, std::byte{0xEE}) {}
    void* data() { return bytes_.data() + guard; }
    /// Writes the input of `rank`, from its element `first` on.
    void put(std::size_t at, std::size_t count, int rank, std::size_t first = 0) {
        for (std::size_t i = 0; i < count; ++i)
            kind_->fill(bytes_.data() + guard + (at + i) * kind_->stride + kind_->first, rank, first + i);
    }
    /// Copies the first `count` elements of `others`.
    void copy(const Elements& others, std::size_t count) {
        std::copy_n(others.bytes_.begin() + guard, count * kind_->stride, bytes_.begin() + guard);
    }
    bool operator==(const Elements& other) const { return bytes_ == other.bytes_; }

private:
    static constexpr std::ptrdiff_t guard = 64;
    const Kind* kind_;
    std::vector<std::byte> bytes_;
};

class Compared {
public:
    Compared(MPI_Comm comm, Collective collective, const Kind& kind, std::size_t count, int root)
        : comm_(comm),
          collective_(collective),
          kind_(kind),
          count_(count),
          root_(root),
          rank_(rank_of(comm)),
          p_(size_of(comm)),
          whole_(in_blocks(collective) ? count * std::size_t(p_) : count),
          in_(kind, whole_) {
        in_.put(0, whole_, rank_);
    }

    void check(bool in_place) {
        const bool here = in_place && (!rooted(collective_) || rank_ == root_);
        Elements out(kind_, whole_);
        give_in_place(out, here);
        Elements expected = out;
        if (!here || collective_ != Collective::scatter) receive(expected);
        const Elements sent = in_;
        const bool receives_in_place = here && collective_ == Collective::scatter;
        const int code =
            call_on(vectors(here && !receives_in_place ? MPI_IN_PLACE : in_.data(),
                            receives_in_place ? MPI_IN_PLACE : out.data()),
                    collective_, [&](auto call) { return ours(in_place ? call : carelessly(call)); });
        EXPECT_EQ(code, MPI_SUCCESS);
        EXPECT_TRUE(out == expected) << (in_place ? "in place" : "");
        EXPECT_TRUE(in_ == sent) << (in_place ? "in place" : "");
    }

private:
    Vectors vectors(const void* in, void* out) const {
        return {.in = in,
                .out = out,
                .whole = MPI_Count(whole_),
                .whole_type = kind_.type,
                .block = MPI_Count(count_),
                .block_type = kind_.type,
                .op = kind_.op,
                .root = root_,
                .comm = comm_};
    }

    /// Writes the contents of the receive buffer before the call.
    void give_in_place(Elements& out, bool here) const {
        if (collective_ == Collective::bcast) {
            if (rank_ == root_) out.put(0, whole_, root_);
        } else if (here && (collective_ == Collective::allgather || collective_ == Collective::gather)) {
            out.put(std::size_t(rank_) * count_, count_, rank_);
        } else if (here && collective_ != Collective::scatter) {
            out.put(0, whole_, rank_);
        }
    }

    /// Writes the expected result.
    void receive(Elements& out) {
        const std::size_t own = std::size_t(rank_) * count_;
        switch (collective_) {
            case Collective::bcast:
                return out.put(0, whole_, root_);
            case Collective::scatter:
                return out.put(0, count_, root_, own);
            case Collective::gather:
            case Collective::allgather:
            case Collective::alltoall:
                for (int r = 0; r < p_ && (collective_ != Collective::gather || rank_ == root_); ++r)
                    out.put(std::size_t(r) * count_, count_, r,
                            collective_ == Collective::alltoall ? own : 0);
                return;
            default:
                break;
        }
        Elements combined(kind_, whole_);
        call_on(vectors(in_.data(), combined.data()), collective_,
                [](const auto& call) { return native_call(call); });
        const bool nothing = (collective_ == Collective::reduce && rank_ != root_) ||
                             (collective_ == Collective::exscan && rank_ == 0);
        out.copy(combined, nothing ? 0 : collective_ == Collective::reduce_scatter ? count_ : whole_);
    }

    /// Invalidates, on other ranks, the arguments that are significant only at the root.
    template <class Any>
    Any carelessly(Any call) const {
        if (rank_ == root_) return call;
        if constexpr (requires { call.all(); })
            (collective_ == Collective::gather ? call.out : call.in) = {nullptr, -1, MPI_DATATYPE_NULL};
        if constexpr (std::is_same_v<Any, calls::Reduce>) call.out = nullptr;
        return call;
    }

    MPI_Comm comm_;
    Collective collective_;
    const Kind& kind_;
    std::size_t count_;
    int root_, rank_, p_;
    std::size_t whole_;
    Elements in_;
};

}  // namespace

void expect_as_native(MPI_Comm comm, Collective collective, const Kind& kind, std::size_t count, int root) {
    const testing::ScopedTrace trace(__FILE__, __LINE__,
                                     std::string(name(collective)) + ", " + kind.label + ", count " +
                                         std::to_string(count) + ", root " + std::to_string(root));
    for (const bool in_place : {false, true}) Compared(comm, collective, kind, count, root).check(in_place);
}

std::vector<std::string> recipes_of(Collective collective) {
    using enum Collective;
    static const std::map<Collective, std::vector<std::string>> more{
        {allreduce,
         {"reduce_bcast(seg=16)", "segmented_ring(seg=8)", "binomial+chain(seg=16)",
          "leaders(sqrt, binomial, ring)", "leaders(size=3, native, native)",
          "leaders(G=3, rabenseifner+binomial, recursive_doubling)", "positions(size=2, ring, ring)",
          "positions(size=3, native, recursive_doubling)", "lanes(size=2, ring, ring)",
          "lanes(size=3, halving+doubling, native)", "lanes(sqrt, native, rabenseifner)",
          "leaders(size=2, binomial, leaders(size=2, binomial, ring))",
          "leaders(size=3, binomial, ring, seg=16)", "lanes(size=2, ring, recursive_doubling, seg=32)",
          "positions(sqrt, ring, ring, seg=16)"}},
        {reduce,
         {"chain(seg=16)", "binary(seg=24)", "in_order_binary(seg=16)", "knomial(k=3)",
          "leaders(sqrt, binomial, binomial)", "leaders(G=2, chain(seg=8), rabenseifner)",
          "leaders(size=3, native, binomial)", "leaders(size=3, binomial, native)",
          "leaders(ranks=0+2+4+6;1+3+5+7, binomial, binomial)", "lanes(size=2, ring, binomial)",
          "lanes(size=3, native, native)", "positions(size=2, ring, binomial)",
          "leaders(size=3, binomial, binomial, seg=16)",
          "lanes(size=2, halving+binomial, flat_tree, seg=32)"}},
        {bcast,
         {"chain(seg=16)", "binary(seg=24)", "knomial(k=3)", "leaders(sqrt, binomial, binomial)",
          "leaders(size=3, native, chain(seg=8))", "positions(size=3, binomial, binomial)",
          "lanes(size=2, ring, binomial)", "lanes(size=3, native, native)",
          "leaders(size=2, binomial, binomial, seg=8)", "lanes(sqrt, ring, binomial, seg=16)"}},
        {allgather,
         {"leaders(sqrt, binomial, ring)", "leaders(size=3, native, native)",
          "leaders(ranks=0+2+4+6;1+3+5+7, linear+chain, circulant)", "positions(size=3, ring, native)",
          "lanes(size=2, ring, doubling)", "lanes(size=4, native, native)"}},
        {gather,
         {"leaders(sqrt, binomial, linear)", "leaders(size=3, native, native)",
          "leaders(ranks=0+2+4+6;1+3+5+7, linear, binomial)"}},
        {scatter,
         {"leaders(sqrt, binomial, linear)", "leaders(size=3, native, native)",
          "leaders(ranks=0+2+4+6;1+3+5+7, linear, binomial)"}},
        {reduce_scatter,
         {"leaders(sqrt, binomial, halving)", "leaders(size=3, native, native)",
          "leaders(ranks=0+2+4+6;1+3+5+7, chain, ring)", "lanes(size=2, ring, circulant)",
          "lanes(size=4, native, native)"}},
        {alltoall,
         {"positions(size=2, linear, bruck)", "positions(size=4, native, native)",
          "leaders(size=2, binomial, pairwise)", "leaders(size=4, native, native)",
          "positions(ranks=0+2+4+6;1+3+5+7, pairwise, linear)",
          "leaders(ranks=0+2+4+6;1+3+5+7, linear, linear)"}},
        {scan,
         {"leaders(sqrt, recursive_doubling+binomial, recursive_doubling)", "leaders(size=3, native, native)",
          "leaders(size=3, recursive_doubling+chain, recursive_doubling, seg=16)"}},
        {exscan,
         {"leaders(sqrt, recursive_doubling+binomial, recursive_doubling)", "leaders(size=3, native, native)",
          "leaders(size=3, recursive_doubling+chain, recursive_doubling, seg=16)"}}};
    std::vector<std::string> recipes;
    for (const Algorithm& row : catalog(collective)) recipes.emplace_back(row.name);
    if (const auto shapes = more.find(collective); shapes != more.end())
        recipes.insert(recipes.end(), shapes->second.begin(), shapes->second.end());
    return recipes;
}

bool ran(MPI_Comm comm, Collective collective) {
    const State* const state = State::known(comm);
    if (state == nullptr) return false;
    const auto& plans = state->plans().all();
    return std::any_of(plans.begin(), plans.end(), [&](const auto& plan) {
        return plan.first.collective == collective && !plan.second.native();
    });
}

}  // namespace echelon
