// SPDX-License-Identifier: Apache-2.0
/// ECHELON_REPRODUCIBLE=any: every recipe, number of ranks and placement gives the same bits.
#include "bench/broad_list.hpp"
#include "cache/state.hpp"
#include "core/order_free_sum.hpp"
#ifndef ECHELON_SMPI
#include "tests/support/allocations.hpp"
#endif

#include <gtest/gtest.h>
#include <cmath>
#include <complex>
#include <cstring>
#include <echelon/echelon.hpp>
#include <map>
#include <tuple>
#include <vector>

namespace echelon {
namespace {

// Before MPI_Init, in which settings are read.
const int any_is_set = setenv("ECHELON_REPRODUCIBLE", "any", 1);

/// A number of a rank. Its size is far from those of other ranks: plain sums depend on the order.
template <class T>
T number_of(int rank, std::size_t i) {
    const auto draw = [&](std::uint64_t salt) {
        std::uint64_t bits = (std::uint64_t(rank) << 32 ^ i ^ salt << 60) * 0x9e3779b97f4a7c15;
        bits = (bits ^ bits >> 31) * 0xbf58476d1ce4e5b9;
        return bits ^ bits >> 29;
    };
    return T(std::ldexp(double(std::int32_t(draw(1) >> 32)), int(draw(2) % 40) - 20));
}

template <class T>
std::vector<T> numbers_of(int rank, std::size_t count) {
    std::vector<T> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = number_of<T>(rank, i);
    return numbers;
}

/// The sum of the numbers of `ranks` ranks, computed here once.
template <class T>
const std::vector<T>& expected(int ranks, std::size_t count, bool binned) {
    thread_local std::map<std::tuple<int, std::size_t, bool>, std::vector<T>> known;
    std::vector<T>& sums = known[{ranks, count, binned}];
    if (!sums.empty()) return sums;
    sums.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<T> parts;
        for (int r = 0; r < ranks; ++r) parts.push_back(number_of<T>(r, i));
        if (binned) {
            std::vector<Binned> all(parts.size());
            to_binned(std::span<const T>(parts), all.data());
            for (std::size_t r = 1; r < all.size(); ++r) add_binned(&all[0], &all[0], &all[r], 1);
            from_binned(all.data(), std::span(&sums[i], 1));
            continue;
        }
        std::int16_t shared = 0;
        for (const T part : parts) {
            std::int16_t exponent = 0;
            exponents_of(std::span(&part, 1), &exponent);
            shared = std::max(shared, exponent);
        }
        std::int64_t total = 0;
        for (const T part : parts) {
            std::int64_t word = 0;
            to_words(std::span(&part, 1), &shared, false, &word);
            total += word;
        }
        from_words(&total, &shared, false, std::span(&sums[i], 1));
    }
    return sums;
}

template <class T>
bool same_bits(const T* a, const std::vector<T>& b, std::size_t count, std::size_t from = 0) {
    return std::memcmp(a, b.data() + from, count * sizeof(T)) == 0;
}

struct Ranks {
    explicit Ranks(int most) {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_split(MPI_COMM_WORLD, rank < most ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm == MPI_COMM_NULL) return;
        MPI_Comm_rank(comm, &me);
        MPI_Comm_size(comm, &size);
    }
    ~Ranks() {
        if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }
    MPI_Comm comm = MPI_COMM_NULL;
    int me = 0, size = 0;
};

/// A reduction on `ranks`, against the sum that was computed here.
template <class T>
void expect_sums(Collective collective, const Ranks& ranks, MPI_Datatype type, std::size_t each) {
    const auto p = std::size_t(ranks.size), count = each * p;
    const bool is_short = count * sizeof(T) <= 1024;
    const std::vector<T> in = numbers_of<T>(ranks.me, count);
    const std::vector<T>&all = expected<T>(ranks.size, count, is_short),
          &binned = expected<T>(ranks.size, count, true);
    std::vector<T> out(count, T(7));
    switch (collective) {
        case Collective::allreduce:
            allreduce(in.data(), out.data(), int(count), type, MPI_SUM, ranks.comm);
            EXPECT_TRUE(same_bits(out.data(), all, count));
            out = in;
            allreduce(MPI_IN_PLACE, out.data(), int(count), type, MPI_SUM, ranks.comm);
            EXPECT_TRUE(same_bits(out.data(), all, count));
            break;
        case Collective::reduce: {
            const int root = ranks.size / 2;
            reduce(in.data(), out.data(), int(count), type, MPI_SUM, root, ranks.comm);
            EXPECT_TRUE(
                same_bits(out.data(), ranks.me == root ? binned : std::vector<T>(count, T(7)), count));
            break;
        }
        case Collective::reduce_scatter: {
            reduce_scatter_block(in.data(), out.data(), int(each), type, MPI_SUM, ranks.comm);
            EXPECT_TRUE(same_bits(out.data(), all, each, each * std::size_t(ranks.me)));
            out = in;
            const std::vector<int> counts(p, int(each));
            reduce_scatter(MPI_IN_PLACE, out.data(), counts.data(), type, MPI_SUM, ranks.comm);
            EXPECT_TRUE(same_bits(out.data(), all, each, each * std::size_t(ranks.me)));
            // The rest of the vector stays.
            EXPECT_TRUE(same_bits(out.data() + each, in, count - each, each));
            break;
        }
        case Collective::scan:
            scan(in.data(), out.data(), int(count), type, MPI_SUM, ranks.comm);
            EXPECT_TRUE(same_bits(out.data(), expected<T>(ranks.me + 1, count, true), count));
            break;
        case Collective::exscan:
            exscan(in.data(), out.data(), int(count), type, MPI_SUM, ranks.comm);
            EXPECT_TRUE(same_bits(
                out.data(), ranks.me > 0 ? expected<T>(ranks.me, count, true) : std::vector<T>(count, T(7)),
                count));
            break;
        default:
            FAIL();
    }
}

/// A short vector and one of more than 1 KiB.
template <class T>
void expect_sums(Collective collective, const Ranks& ranks, MPI_Datatype type) {
    expect_sums<T>(collective, ranks, type, 1);
    expect_sums<T>(collective, ranks, type, 1024 / sizeof(T) / std::size_t(ranks.size) + 1);
}

TEST(AnyOrder, EveryNumberOfRanksGivesItsSum) {
    int p = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int ranks = 2; ranks <= p; ranks = ranks < 8 ? ranks + 1 : ranks * 2) {
        const Ranks some(ranks);
        if (some.comm == MPI_COMM_NULL) continue;
        for (const Collective collective : all_collectives) {
            if (!reduces(collective)) continue;
            SCOPED_TRACE(std::string(name(collective)) + " on " + std::to_string(ranks) + " ranks");
            expect_sums<double>(collective, some, MPI_DOUBLE);
            expect_sums<float>(collective, some, MPI_FLOAT);
        }
    }
}

TEST(AnyOrder, EveryRecipeGivesTheSameBits) {
    const Ranks all(16);
    if (all.comm == MPI_COMM_NULL) return;
    Tuning tuning(all.comm);
    const Placement& placement = State::of(all.comm)->own().placement(true, true);
    for (const Collective collective : all_collectives) {
        if (!reduces(collective)) continue;
        for (const Recipe& recipe : bench::broad_list(collective, placement)) {
            tuning.force(name(collective), to_string(recipe), 0, Tuning::no_limit, false);
            SCOPED_TRACE(std::string(name(collective)) + " by " + to_string(recipe));
            expect_sums<double>(collective, all, MPI_DOUBLE);
        }
        tuning.clear(name(collective));
    }
}

#ifndef ECHELON_SMPI
TEST(AnyOrder, RepeatedCallsAllocateNothing) {
    const Ranks all(4);
    if (all.comm == MPI_COMM_NULL) return;
    Tuning tuning(all.comm);
    for (const std::size_t count : {8, 1000}) {
        const std::vector<double> in = numbers_of<double>(all.me, count);
        std::vector<double> out(count);
        const auto check = [&](const char* collective, const char* recipe, auto&& call) {
            tuning.force(collective, recipe);
            for (int i = 0; i < 2; ++i) call();  // operands and sums change places
            const long before = test::allocations;
            for (int i = 0; i < 4; ++i) call();
            EXPECT_EQ(test::allocations, before) << collective << " of " << count;
        };
        const int n = int(count);
        check("allreduce", "ring",
              [&] { allreduce(in.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, all.comm); });
        check("reduce", "binomial",
              [&] { reduce(in.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, 1, all.comm); });
        check("scan", "chain", [&] { scan(in.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, all.comm); });
    }
}
#endif

TEST(AnyOrder, BlocksMayHaveAnyLength) {
    const Ranks all(1 << 20);
    for (const int each : {1, 60}) {
        std::vector<int> counts;
        std::size_t before = 0, total = 0;
        for (int r = 0; r < all.size; ++r) {
            counts.push_back(r == 0 ? 0 : r * each);
            before += r < all.me ? std::size_t(counts.back()) : 0;
            total += std::size_t(counts.back());
        }
        const std::vector<double> in = numbers_of<double>(all.me, total);
        std::vector<double> out(total, 7);
        reduce_scatter(in.data(), out.data(), counts.data(), MPI_DOUBLE, MPI_SUM, all.comm);
        EXPECT_TRUE(same_bits(out.data(), expected<double>(all.size, total, total * sizeof(double) <= 1024),
                              std::size_t(counts[std::size_t(all.me)]), before));
    }
}

TEST(AnyOrder, PartsOfComplexNumbersAreSummedByThemselves) {
    const Ranks all(1 << 20);
    for (const std::size_t count : {std::size_t(3), std::size_t(200)}) {
        const std::vector<double> in = numbers_of<double>(all.me, 2 * count);
        std::vector<double> out(2 * count);
        allreduce(in.data(), out.data(), int(count), MPI_C_DOUBLE_COMPLEX, MPI_SUM, all.comm);
        EXPECT_TRUE(same_bits(out.data(), expected<double>(all.size, 2 * count, count == 3), 2 * count));
    }
}

TEST(AnyOrder, OtherReductionsAreUnchanged) {
    const Ranks all(1 << 20);
    std::vector<double> out(5);
    const std::vector<double> in(5, 2.0);
    allreduce(in.data(), out.data(), 5, MPI_DOUBLE, MPI_PROD, all.comm);
    EXPECT_EQ(out, std::vector<double>(5, std::ldexp(1.0, all.size)));
    int ranks = 0;
    const int one = 1;
    allreduce(&one, &ranks, 1, MPI_INT, MPI_SUM, all.comm);
    EXPECT_EQ(ranks, all.size);
    // A count that the library must refuse.
    MPI_Comm_set_errhandler(all.comm, MPI_ERRORS_RETURN);
    EXPECT_NE(allreduce(in.data(), out.data(), -1, MPI_DOUBLE, MPI_SUM, all.comm), MPI_SUCCESS);
}

}  // namespace
}  // namespace echelon
