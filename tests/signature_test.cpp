// SPDX-License-Identifier: Apache-2.0
/// Ranks that described the same signature by different types got wrong data, or an error, if the types were
/// dense but not in memory order, or the operation user-made. reduce_scatter in place wrote behind its
/// result.
#include "cache/state.hpp"
#include "mpi/quirks.hpp"
#include "support/as_native.hpp"
#include "support/communicators.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <echelon/echelon.hpp>
#include <numeric>

namespace echelon {
namespace {

constexpr int p = 4, ints = 9;
using Numbers = std::vector<int>;

/// Elements of nine ints in several descriptions. The operations add ints in any description.
class Signature : public testing::Test {
protected:
    Signature() : ranks_(p) {
        const std::array<int, 3> lengths{1, 1, 7}, places{8, 7, 0};
        MPI_Datatype column = MPI_DATATYPE_NULL;
        MPI_Type_vector(3, 1, 3, MPI_INT, &column);
        MPI_Type_create_hvector(3, 1, sizeof(int), column, &types_[0]);
        MPI_Type_free(&column);
        MPI_Type_contiguous(ints, MPI_INT, &types_[1]);
        MPI_Type_indexed(3, lengths.data(), places.data(), MPI_INT, &types_[2]);
        MPI_Type_create_resized(types_[1], 0, -MPI_Aint(ints * sizeof(int)), &types_[3]);
        for (MPI_Datatype& type : types_) MPI_Type_commit(&type);
        const auto add = [](void* in, void* inout, int* count, MPI_Datatype* type) {
            int size = 0;
            MPI_Aint lower_bound = 0, extent = 0;
            MPI_Type_size(*type, &size);
            MPI_Type_get_extent(*type, &lower_bound, &extent);
            for (int element = 0; element < *count; ++element)
                for (int i = 0; i < size / int(sizeof(int)); ++i) {
                    const MPI_Aint at = element * (extent / MPI_Aint(sizeof(int))) + i;
                    static_cast<int*>(inout)[at] += static_cast<int*>(in)[at];
                }
        };
        MPI_Op_create(add, 1, &commuting_);
        MPI_Op_create(add, 0, &ordered_);
    }
    ~Signature() override {
        for (MPI_Datatype& type : types_) MPI_Type_free(&type);
        MPI_Op_free(&commuting_);
        MPI_Op_free(&ordered_);
    }

    template <class Test>
    void with_every_recipe(Collective collective, const Test& test) {
        if (!ranks_) return;
        bool any = false;
        for (const std::string& recipe : recipes_of(collective)) {
            const testing::ScopedTrace trace(__FILE__, __LINE__, recipe);
            force(comm(), name(collective).data(), recipe, p);
            test();
            any = any || ran(comm(), collective);
        }
        EXPECT_TRUE(any);
    }
    MPI_Comm comm() const { return ranks_.get(); }
    int rank() const { return ranks_.rank(); }
    static Numbers numbers(int count, int first) {
        Numbers made(std::size_t(count), 0);
        std::iota(made.begin(), made.end(), first);
        return made;
    }

    FirstRanks ranks_;
    std::array<MPI_Datatype, 4> types_{};  // permuted, plain, permuted, backwards
    MPI_Op commuting_ = MPI_OP_NULL, ordered_ = MPI_OP_NULL;
};

TEST_F(Signature, DenseTypesTravelInTheOrderOfTheirMaps) {
    for (const MPI_Datatype type : {types_[0], types_[2]}) {
        with_every_recipe(Collective::bcast, [&] {
            for (int root = 0; root < p; ++root) {
                Numbers data = numbers(ints, 100 * rank()), expected = data;
                const bool special = rank() % 2 == 0;
                const auto call = [&](const auto& bcast_of, Numbers& buffer) {
                    bcast_of(buffer.data(), special ? 1 : ints, special ? type : MPI_INT, root, comm());
                };
                call(PMPI_Bcast, expected);
                call(bcast, data);
                EXPECT_EQ(data, expected);
            }
        });
        const Numbers all = numbers(ints * p, 100 * rank());
        with_every_recipe(Collective::allgather, [&] {
            Numbers got(all.size(), -1), expected = got, back = got, back_expected = got;
            PMPI_Allgather(all.data(), 1, type, expected.data(), ints, MPI_INT, comm());
            allgather(all.data(), 1, type, got.data(), ints, MPI_INT, comm());
            EXPECT_EQ(got, expected);
            PMPI_Allgather(all.data(), ints, MPI_INT, back_expected.data(), 1, type, comm());
            allgather(all.data(), ints, MPI_INT, back.data(), 1, type, comm());
            EXPECT_EQ(back, back_expected);
        });
        with_every_recipe(Collective::gather, [&] {
            Numbers got(all.size(), -1), expected = got;
            PMPI_Gather(all.data(), 1, type, expected.data(), ints, MPI_INT, 1, comm());
            gather(all.data(), 1, type, got.data(), ints, MPI_INT, 1, comm());
            EXPECT_EQ(got, expected);
        });
        with_every_recipe(Collective::scatter, [&] {
            Numbers got(all.size(), -1), expected = got;
            PMPI_Scatter(all.data(), 1, type, expected.data(), ints, MPI_INT, 1, comm());
            scatter(all.data(), 1, type, got.data(), ints, MPI_INT, 1, comm());
            EXPECT_EQ(got, expected);
        });
        with_every_recipe(Collective::alltoall, [&] {
            Numbers got(all.size(), -1), expected = got;
            PMPI_Alltoall(all.data(), ints, MPI_INT, expected.data(), 1, type, comm());
            alltoall(all.data(), ints, MPI_INT, got.data(), 1, type, comm());
            EXPECT_EQ(got, expected);
        });
    }
}

/// Rank 0 passes 18 ints, the others two elements of nine.
TEST_F(Signature, UserMadeOperationsTakeWhatEveryRankSays) {
    const bool single = rank() == 0;
    const MPI_Datatype type = single ? MPI_INT : types_[1];
    const int count = single ? 2 * ints : 2;
    const Numbers in = numbers(2 * ints, rank()), sum = [] {
        Numbers made;
        for (int i = 0; i < 2 * ints; ++i) made.push_back(p * i + p * (p - 1) / 2);
        return made;
    }();
    for (const MPI_Op op : {commuting_, ordered_}) {
        with_every_recipe(Collective::allreduce, [&] {
            Numbers out(2 * ints, -1), in_place = in;
            EXPECT_EQ(allreduce(in.data(), out.data(), count, type, op, comm()), MPI_SUCCESS);
            EXPECT_EQ(out, sum);
            EXPECT_EQ(allreduce(MPI_IN_PLACE, in_place.data(), count, type, op, comm()), MPI_SUCCESS);
            EXPECT_EQ(in_place, sum);
        });
        with_every_recipe(Collective::reduce, [&] {
            for (int root = 0; root < p; ++root) {
                Numbers out(2 * ints, -1);
                EXPECT_EQ(reduce(in.data(), out.data(), count, type, op, root, comm()), MPI_SUCCESS);
                EXPECT_EQ(out, rank() == root ? sum : Numbers(2 * ints, -1));
            }
        });
        with_every_recipe(Collective::scan, [&] {
            Numbers out(2 * ints, -1), expected;
            for (int i = 0; i < 2 * ints; ++i)
                expected.push_back((rank() + 1) * i + rank() * (rank() + 1) / 2);
            EXPECT_EQ(scan(in.data(), out.data(), count, type, op, comm()), MPI_SUCCESS);
            EXPECT_EQ(out, expected);
        });
        const Numbers all = numbers(ints * p, rank());
        with_every_recipe(Collective::reduce_scatter, [&] {
            Numbers out(ints, -1), expected, counted = out;
            for (int i = ints * rank(); i < ints * (rank() + 1); ++i)
                expected.push_back(p * i + p * (p - 1) / 2);
            EXPECT_EQ(reduce_scatter_block(all.data(), out.data(), single ? ints : 1, type, op, comm()),
                      MPI_SUCCESS);
            EXPECT_EQ(out, expected);
            const std::vector<int> counts(p, single ? ints : 1);
            EXPECT_EQ(reduce_scatter(all.data(), counted.data(), counts.data(), type, op, comm()),
                      MPI_SUCCESS);
            EXPECT_EQ(counted, expected);
            // The counts in elements fit an even division into blocks, the counts in ints do not.
            std::vector<int> uneven(p, single ? ints : 1);
            uneven[0] *= 2;
            const Numbers more = numbers(ints * (p + 1), 0);
            Numbers part(2 * ints, -1), native = part;
            PMPI_Reduce_scatter(more.data(), native.data(), uneven.data(), type, op, comm());
            EXPECT_EQ(reduce_scatter(more.data(), part.data(), uneven.data(), type, op, comm()), MPI_SUCCESS);
            EXPECT_EQ(part, native);
        });
    }
}

/// The user's function sees elements in memory order, even if the type map takes them in another order.
TEST_F(Signature, UserMadeOperationsOnPermutedTypes) {
    with_every_recipe(Collective::allreduce, [&] {
        for (const MPI_Op op : {commuting_, ordered_}) {
            const Numbers in = numbers(2 * ints, 7 * rank());
            Numbers got(2 * ints, -1), expected = got;
            const MPI_Datatype permuted = types_[rank() == 0 ? 0 : 2];
            PMPI_Allreduce(in.data(), expected.data(), 1, permuted, op, comm());
            EXPECT_EQ(allreduce(in.data(), got.data(), 1, permuted, op, comm()), MPI_SUCCESS);
            EXPECT_EQ(got, expected);
        }
    });
}

/// MPICH 4.0 and Open MPI 4.1 crash on these themselves.
TEST_F(Signature, ElementsMayFollowEachOtherBackwards) {
    if (!ranks_) return;
    const Numbers in = numbers(2 * ints, 7 * rank());
    for (const char* recipe : {"recursive_doubling", "rabenseifner", "leaders(size=2, binomial, binomial)"})
        for (const MPI_Op op : {commuting_, ordered_}) {
            force(comm(), "allreduce", recipe, p);
            // Rank 1 has the second element before the first.
            const bool backwards = rank() == 1;
            const MPI_Datatype type = backwards ? types_[3] : types_[1];
            Numbers out(2 * ints, -1), sum;
            const int first = backwards ? ints : 0;
            EXPECT_EQ(allreduce(in.data() + first, out.data() + first, 2, type, op, comm()), MPI_SUCCESS);
            if (backwards) std::rotate(out.begin(), out.begin() + ints, out.end());
            for (int i = 0; i < 2 * ints; ++i)
                sum.push_back(7 * p * (p - 1) / 2 + (p - 1) * i + (i < ints ? i + ints : i - ints));
            EXPECT_EQ(out, sum);
        }
    EXPECT_TRUE(ran(comm(), Collective::allreduce));
}

TEST_F(Signature, WhatLiesBehindAResultStaysAsItIs) {
    with_every_recipe(Collective::reduce_scatter, [&] {
        for (const int n : {1, 4, 100}) {
            Numbers vector = numbers(n * p, 1000 * rank()), before = vector;
            EXPECT_EQ(reduce_scatter_block(MPI_IN_PLACE, vector.data(), n, MPI_INT, MPI_SUM, comm()),
                      MPI_SUCCESS);
            EXPECT_EQ(vector[0], p * n * rank() + 1000 * p * (p - 1) / 2);
            EXPECT_TRUE(std::equal(vector.begin() + n, vector.end(), before.begin() + n));
        }
    });
}

/// On MPICH this broadcast ended with an error and half of the data: an element lay across a border of 8 KB
/// of packed bytes.
TEST_F(Signature, ElementsMayLieAcrossFragments) {
    if (!ranks_) return;
    constexpr std::size_t n = 3000, extent = 16;
    const std::array<int, 2> lengths{1, 1};
    const std::array<MPI_Aint, 2> places{0, 8};
    const std::array<MPI_Datatype, 2> parts{MPI_BYTE, MPI_DOUBLE};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths.data(), places.data(), parts.data(), &type);
    MPI_Type_commit(&type);
    std::vector<std::byte> data(n * extent), right(n * extent);
    for (std::size_t i = 0; i < n; ++i)
        for (const std::size_t at : {0, 8, 9, 10, 11, 12, 13, 14, 15})
            right[i * extent + at] = std::byte(i + at);
    if (rank() == 0) data = right;
    force(comm(), "bcast", "binomial", p);
    EXPECT_EQ(bcast(data.data(), int(n), type, 0, comm()), MPI_SUCCESS);
    EXPECT_TRUE(ran(comm(), Collective::bcast));
    EXPECT_EQ(data, right);
    MPI_Type_free(&type);
}

/// MPI_IN_PLACE was taken for an address.
TEST_F(Signature, InPlaceIsNoBuffer) {
    if (!quirks::knows_in_place_everywhere) GTEST_SKIP() << "the library takes it for one itself";
    if (!ranks_) return;
    MPI_Comm_set_errhandler(comm(), MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD,
                            MPI_ERRORS_RETURN);  // to which Open MPI 4.1 reports some of these
    int one = 1;
    const auto same = [](int ours, int theirs) {
        EXPECT_NE(theirs, MPI_SUCCESS);
        EXPECT_EQ(ours, theirs);
    };
    force(comm(), "bcast", "binomial", p);
    force(comm(), "allreduce", "ring", p);
    force(comm(), "scan", "chain", p);
    same(bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm()), PMPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm()));
    same(allreduce(&one, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm()),
         PMPI_Allreduce(&one, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm()));
    same(scan(&one, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm()),
         PMPI_Scan(&one, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm()));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

}  // namespace
}  // namespace echelon
