// SPDX-License-Identifier: Apache-2.0
#include "measure/operand.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace echelon {
namespace {

using Type = Operands::Type;
using Op = Operands::Op;

template <class T>
std::vector<T> contribution(const Operands& operands, std::size_t count, int rank) {
    std::vector<T> elements(count);
    operands.fill(elements.data(), count, rank);
    return elements;
}

template <class T>
std::vector<T> reduced(const Operands& operands, Op op, std::size_t count, int p) {
    auto sum = contribution<T>(operands, count, 0);
    for (int rank = 1; rank < p; ++rank) {
        const auto other = contribution<T>(operands, count, rank);
        for (std::size_t i = 0; i < count; ++i)
            sum[i] = op == Op::sum   ? T(sum[i] + other[i])
                     : op == Op::max ? std::max(sum[i], other[i])
                                     : std::min(sum[i], other[i]);
    }
    return sum;
}

template <class T>
void expect_results(Type type) {
    for (const Op op : {Op::sum, Op::max, Op::min})
        for (const int p : {1, 2, 7, 64, 1500, 4096}) {
            const Operands operands(type, op, p);
            auto result = reduced<T>(operands, op, 300, p);
            EXPECT_TRUE(operands.is_result(result.data(), result.size())) << name(type) << name(op) << p;
            result[299] += result[299] / 64 + 1;
            EXPECT_FALSE(operands.is_result(result.data(), result.size())) << name(type) << name(op) << p;
        }
}

TEST(Operands, TheResultIsKnownInAdvance) {
    expect_results<int>(Type::int_);
    expect_results<float>(Type::float_);
    expect_results<double>(Type::double_);
}

TEST(Operands, ARankForgottenOrTakenTwiceIsNoticed) {
    const int p = 64;
    for (const Type type : {Type::int_, Type::double_}) {
        const Operands operands(type, Op::sum, p);
        const auto without_one = [&]<class T>(T, int left_out, int twice) {
            auto result = reduced<T>(operands, Op::sum, 5, p);
            for (std::size_t i = 0; i < 5; ++i)
                result[i] +=
                    contribution<T>(operands, 5, twice)[i] - contribution<T>(operands, 5, left_out)[i];
            return operands.is_result(result.data(), 5);
        };
        EXPECT_TRUE(type == Type::int_ ? without_one(0, 3, 3) : without_one(0.0, 3, 3));
        EXPECT_FALSE(type == Type::int_ ? without_one(0, 3, 4) : without_one(0.0, 3, 4));
    }
}

TEST(Operands, ElementsAreNotMistakenForEachOther) {
    const Operands operands(Type::int_, Op::sum, 4);
    auto elements = contribution<int>(operands, 1000, 2);
    EXPECT_TRUE(operands.is_contribution(elements.data(), 1000, 2));
    EXPECT_FALSE(operands.is_contribution(elements.data(), 1000, 1));
    EXPECT_FALSE(operands.is_contribution(elements.data() + 1, 999, 2));
    std::swap(elements[500], elements[501]);
    EXPECT_FALSE(operands.is_contribution(elements.data(), 1000, 2));
}

TEST(Operands, PoisonIsNeverRight) {
    for (const Type type : {Type::int_, Type::float_, Type::double_}) {
        const Operands operands(type, Op::sum, 3);
        std::vector<std::byte> bytes(8 * size_of(type));
        poison(bytes.data(), bytes.size());
        EXPECT_FALSE(operands.is_result(bytes.data(), 8)) << name(type);
        EXPECT_FALSE(operands.is_contribution(bytes.data(), 8, 0)) << name(type);
    }
}

}  // namespace
}  // namespace echelon
