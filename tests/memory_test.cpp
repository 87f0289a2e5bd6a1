// SPDX-License-Identifier: Apache-2.0
/// The user's input is read in place until the vector is written, and never copied before.
#include "mpi/memory.hpp"
#include "mpi/ranges.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>

namespace echelon {
namespace {

using Range = Ranges::Range;

TEST(Ranges, AreCutAnywhere) {
    Ranges ranges;
    ranges.assign(0, 10);
    EXPECT_TRUE(ranges.cover(0, 10));
    ranges.cut(3, 5);
    EXPECT_EQ(ranges.all(), (std::vector<Range>{{0, 3}, {5, 10}}));
    EXPECT_TRUE(ranges.cover(5, 10));
    EXPECT_TRUE(ranges.cover(1, 3));
    EXPECT_FALSE(ranges.cover(2, 4));
    EXPECT_FALSE(ranges.cover(3, 5));
    std::vector<Range> removed;
    ranges.cut(1, 7, [&](std::size_t begin, std::size_t end) { removed.push_back({begin, end}); });
    EXPECT_EQ(removed, (std::vector<Range>{{1, 3}, {5, 7}}));
    EXPECT_EQ(ranges.all(), (std::vector<Range>{{0, 1}, {7, 10}}));
    ranges.cut(2, 2);
    ranges.cut(1, 7);
    EXPECT_EQ(ranges.all(), (std::vector<Range>{{0, 1}, {7, 10}}));
    ranges.cut(0, 100);
    EXPECT_TRUE(ranges.empty());
    EXPECT_FALSE(ranges.cover(0, 1));
}

const Loopback alone{MPI_COMM_SELF, 0, 0};

/// A call's vector of ten ints, given as 0, 1, .., 9, and scratch of 100, 101, ..
struct OneCall {
    explicit OneCall(MPI_Op op, MPI_Datatype type = MPI_INT) : memory(alone) {
        std::iota(in.begin(), in.end(), 0);
        const Element element = element_of(type);
        memory.begin(element, op, combination_of(op, element), out.data(), nullptr, 10);
        auto* const scratch = static_cast<int*>(memory.writable(others));
        std::iota(scratch, scratch + 10, 100);
        memory.take(in.data(), 10);
    }
    ~OneCall() {
        for (int i = 0; i < 10; ++i) EXPECT_EQ(in[std::size_t(i)], i) << "what the user gave was written";
    }
    OneCall(const OneCall&) = delete;
    OneCall& operator=(const OneCall&) = delete;

    static Slice data(std::size_t from, std::size_t count) { return {from, count}; }
    const Slice others{0, 10, Buffer::scratch};
    std::vector<int> in = std::vector<int>(10), out = std::vector<int>(10, -1);
    Memory memory;
};

TEST(Memory, ReadsWhereTheUserHasItUntilItIsWritten) {
    OneCall call(MPI_SUM);
    EXPECT_EQ(call.memory.readable(call.data(2, 3)), call.in.data() + 2);
    EXPECT_EQ(call.memory.writable(call.data(2, 3)), call.out.data() + 2);
    EXPECT_EQ(call.memory.readable(call.data(2, 3)), call.out.data() + 2);
    EXPECT_EQ(call.memory.readable(call.data(5, 5)), call.in.data() + 5);
    EXPECT_EQ(std::count(call.out.begin(), call.out.end(), -1), 10) << "nothing was copied";
    // Partly written: the rest is copied next to it.
    EXPECT_EQ(call.memory.readable(call.data(1, 3)), call.out.data() + 1);
    EXPECT_EQ(call.out, (std::vector<int>{-1, 1, -1, -1, -1, -1, -1, -1, -1, -1}));
    call.memory.settle();
    EXPECT_EQ(call.out, (std::vector<int>{0, 1, -1, -1, -1, 5, 6, 7, 8, 9}));
}

TEST(Memory, TheFirstCombinationNeedsNoCopy) {
    OneCall call(MPI_SUM);
    call.memory.reduce(call.data(3, 2), call.others.part(0, 2), Side::before);
    EXPECT_EQ(call.out, (std::vector<int>{-1, -1, -1, 103, 105, -1, -1, -1, -1, -1}));
    call.memory.reduce(call.data(2, 3), call.others.part(0, 3), Side::after);
    EXPECT_EQ(call.out, (std::vector<int>{-1, -1, 102, 204, 207, -1, -1, -1, -1, -1}));
}

void digits(void* left, void* right, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) {
        int& into = static_cast<int*>(right)[i];
        into += 1000 * static_cast<int*>(left)[i];
    }
}

TEST(Memory, KeepsTheSidesOfOperationsThatDoNotCommute) {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(digits, 0, &op);
    {
        OneCall call(op);
        call.memory.reduce(call.data(1, 1), call.others.part(0, 1), Side::before);
        call.memory.reduce(call.data(2, 1), call.others.part(0, 1), Side::after);
        call.memory.reduce(call.data(2, 2), call.others.part(1, 2), Side::after);
        EXPECT_EQ(call.out, (std::vector<int>{-1, 100001, 2100101, 3102, -1, -1, -1, -1, -1, -1}));
    }
    MPI_Op_free(&op);
}

TEST(Memory, CopiesFromAndToTheVector) {
    OneCall call(MPI_MAX);
    call.memory.copy(call.others.part(0, 4), call.data(6, 4));
    const auto* const scratch = static_cast<const int*>(call.memory.readable(call.others));
    EXPECT_EQ(scratch[3], 9);
    call.memory.copy(call.data(0, 2), call.others.part(2, 2));
    EXPECT_EQ(call.out, (std::vector<int>{8, 9, -1, -1, -1, -1, -1, -1, -1, -1}));
    call.memory.settle({1, 3});
    EXPECT_EQ(call.out, (std::vector<int>{8, 9, 2, 3, -1, -1, -1, -1, -1, -1}));
}

/// After a combination in scratch memory, MPI_DOUBLE_INT had stale bytes between its numbers.
TEST(Memory, PaddingIsTheUsers) {
    struct Pair {
        double value;
        int place, padding;
    };
    const std::vector<Pair> in{{1, 2, 3}};
    std::vector<Pair> out{{-1, -1, -1}};
    Memory memory(alone);
    const Element element = element_of(MPI_DOUBLE_INT);
    memory.begin(element, MPI_MAXLOC, combination_of(MPI_MAXLOC, element), out.data(), nullptr, 1);
    *static_cast<Pair*>(memory.writable({0, 1, Buffer::scratch})) = {4, 5, 6};
    memory.take(in.data(), 1);
    memory.reduce({0, 1}, {0, 1, Buffer::scratch}, Side::before);
    EXPECT_EQ(out[0].value, 4);
    EXPECT_EQ(out[0].place, 5);
    EXPECT_EQ(out[0].padding, 3);
}

TEST(Memory, InPlaceThereIsNothingToTake) {
    std::vector<int> data(4, 7);
    Memory memory(alone);
    const Element element = element_of(MPI_INT);
    memory.begin(element, MPI_SUM, combination_of(MPI_SUM, element), data.data(), nullptr, 0);
    memory.take(data.data(), 4);
    memory.reduce({0, 2}, {2, 2}, Side::before);
    EXPECT_EQ(data, (std::vector<int>{14, 14, 7, 7}));
}

}  // namespace
}  // namespace echelon
