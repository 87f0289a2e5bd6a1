// SPDX-License-Identifier: Apache-2.0
/// Sums whose bits no order changes: against exact integers of any length, in every order and grouping.
#include "core/order_free_sum.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace echelon {
namespace {

using Integer = boost::multiprecision::cpp_int;
constexpr int unit = -1074;  // numbers are multiples of 2^unit

Integer exact(double number) {
    int exponent = 0;
    const double fraction = std::frexp(number, &exponent);
    const Integer scaled(std::int64_t(std::ldexp(fraction, 53)));
    const int shift = exponent - 53 - unit;
    return shift >= 0 ? Integer(scaled << shift) : Integer(scaled / (Integer(1) << -shift));
}

/// The nearest T to a multiple of 2^unit, ties to even.
template <class T>
T nearest(const Integer& sum) {
    if (sum == 0) return 0;
    const Integer magnitude = abs(sum);
    constexpr int digits = std::numeric_limits<T>::digits;
    const int least = std::numeric_limits<T>::min_exponent - digits - unit;
    const int cut = std::max({int(msb(magnitude)) + 1 - digits, least, 0});
    Integer kept = magnitude >> cut;
    const Integer rest = magnitude - (kept << cut), half = cut > 0 ? Integer(1) << (cut - 1) : Integer(0);
    if (cut > 0 && (rest > half || (rest == half && (kept & 1) != 0))) ++kept;
    const T found = T(std::ldexp(double(std::uint64_t(kept)), cut + unit));
    return sum < 0 ? -found : found;
}

template <class T>
std::vector<T> drawn(std::mt19937_64& random) {
    const auto draw = [&](int most) { return int(random() % unsigned(most)); };
    std::vector<T> numbers(std::size_t(1 + draw(40)));
    constexpr int low = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
    constexpr int high = std::numeric_limits<T>::max_exponent;
    const int middle = low + draw(high - low), spread = draw(3) == 0 ? high - low : 1 + draw(60);
    for (T& number : numbers) {
        const double fraction = double(random() >> 11) / double(std::uint64_t(1) << 53) * 2 - 1;
        const int exponent = std::clamp(middle + draw(spread) - spread / 2, low, high - 1);
        number = draw(8) == 0 ? T(0) : T(std::ldexp(fraction, exponent));
    }
    // Numbers that cancel show the digits below.
    if (draw(2) == 0) numbers.push_back(-numbers.front());
    return numbers;
}

template <class T>
std::uint64_t bits(T number) {
    if constexpr (sizeof(T) == 4)
        return std::bit_cast<std::uint32_t>(number);
    else
        return std::bit_cast<std::uint64_t>(number);
}

/// The binned sum, combined in a random order and grouping.
template <class T>
T binned_sum(const std::vector<T>& numbers, std::mt19937_64& random) {
    std::vector<Binned> parts(numbers.size());
    to_binned(std::span<const T>(numbers), parts.data());
    while (parts.size() > 1) {
        std::swap(parts[random() % parts.size()], parts.back());
        const Binned one = parts.back();
        parts.pop_back();
        Binned& other = parts[random() % parts.size()];
        random() % 2 == 0 ? add_binned(&other, &one, &other, 1) : add_binned(&other, &other, &one, 1);
    }
    T result = 0;
    from_binned(parts.data(), std::span(&result, 1));
    return result;
}

template <class T>
T words_sum(const std::vector<T>& numbers, bool is_long) {
    std::vector<std::int16_t> exponents(numbers.size());
    exponents_of(std::span<const T>(numbers), exponents.data());
    const std::int16_t shared = *std::ranges::max_element(exponents);
    std::int64_t sums[2] = {};
    for (const T number : numbers) {
        std::int64_t words[2] = {};
        to_words(std::span(&number, 1), &shared, is_long, words);
        sums[0] += words[0], sums[1] += words[1];
    }
    T result = 0;
    from_words(sums, &shared, is_long, std::span(&result, 1));
    return result;
}

template <class T>
struct OrderFreeSum : testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(OrderFreeSum, Types);

TYPED_TEST(OrderFreeSum, IsTheNearestNumberToTheExactSum) {
    using T = TypeParam;
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const std::vector<T> numbers = drawn<T>(random);
        Integer sum = 0, largest = 0;
        for (const T number : numbers) {
            sum += exact(number);
            largest = std::max<Integer>(largest, abs(exact(number)));
        }
        const auto n = Integer(numbers.size());
        // Each sum lies between the numbers that are nearest to the ends of its error's range.
        const auto expect_within = [&](T found, const Integer& error) {
            ASSERT_LE(nearest<T>(sum - error), found) << i;
            ASSERT_GE(nearest<T>(sum + error), found) << i;
        };
        expect_within(binned_sum(numbers, random), n * (largest >> 80));
        expect_within(words_sum(numbers, false),
                      n * (largest >> 53) / 2 + (largest > 0 ? n : Integer(0)) / 2);
    }
}

TYPED_TEST(OrderFreeSum, HasTheSameBitsInEveryOrderAndWidth) {
    using T = TypeParam;
    std::mt19937_64 random(2);
    int plain_sums_differ = 0;
    for (int i = 0; i < 5000; ++i) {
        std::vector<T> numbers = drawn<T>(random);
        const T first = binned_sum(numbers, random), words = words_sum(numbers, false);
        T forwards = 0, backwards = 0;
        for (const T number : numbers) forwards += number;
        std::ranges::shuffle(numbers, random);
        for (const T number : numbers) backwards += number;
        plain_sums_differ += bits(forwards) != bits(backwards) ? 1 : 0;
        EXPECT_EQ(bits(binned_sum(numbers, random)), bits(first));
        EXPECT_EQ(bits(words_sum(numbers, false)), bits(words));
        EXPECT_EQ(bits(words_sum(numbers, true)), bits(words));
    }
    EXPECT_GT(plain_sums_differ, 1000);
}

TYPED_TEST(OrderFreeSum, FollowsIeeeForZerosInfinitiesAndNaN) {
    using T = TypeParam;
    using Limits = std::numeric_limits<T>;
    std::mt19937_64 random(3);
    const T infinity = Limits::infinity(), most = Limits::max(), least = Limits::denorm_min();
    const auto expect = [&](const std::vector<T>& numbers, T expected) {
        for (const T found :
             {binned_sum(numbers, random), words_sum(numbers, false), words_sum(numbers, true)}) {
            if (std::isnan(expected))
                EXPECT_TRUE(std::isnan(found)) << testing::PrintToString(numbers);
            else
                EXPECT_EQ(bits(found), bits(expected)) << testing::PrintToString(numbers) << found;
        }
    };
    expect({T(-0.0), T(-0.0)}, T(-0.0));
    expect({T(-0.0), T(0.0)}, T(0.0));
    expect({T(1.5), T(-1.5), T(-0.0)}, T(0.0));
    expect({infinity, T(1), infinity}, infinity);
    expect({-infinity, most, T(0)}, -infinity);
    expect({infinity, T(1), -infinity}, Limits::quiet_NaN());
    expect({Limits::quiet_NaN(), T(1)}, Limits::quiet_NaN());
    expect({-Limits::quiet_NaN(), infinity}, Limits::quiet_NaN());
    expect({most, most}, infinity);
    expect({-most, -most, most}, -most);
    expect({least, least, T(-0.0)}, 2 * least);
    expect({Limits::min(), -least}, Limits::min() - least);
    expect({T(1), Limits::epsilon() / 2}, T(1));
    expect({T(1), Limits::epsilon() / 2, Limits::epsilon() / 2}, T(1) + Limits::epsilon());
}

TEST(OrderFreeSumOfMany, HasRoomForCarries) {
    constexpr int terms = 1 << 20;
    const double number = std::nextafter(2.0, 1.0);
    Binned all, one;
    to_binned(std::span(&number, 1), &one);
    std::int16_t shared = 0;
    exponents_of(std::span(&number, 1), &shared);
    std::int64_t words[2], sums[2] = {};
    to_words(std::span(&number, 1), &shared, true, words);
    for (int i = 0; i < terms; ++i) {
        add_binned(&all, &all, &one, 1);
        sums[0] += words[0], sums[1] += words[1];
    }
    double found = 0;
    from_binned(&all, std::span(&found, 1));
    EXPECT_EQ(found, number * terms);
    from_words(sums, &shared, true, std::span(&found, 1));
    EXPECT_EQ(found, number * terms);
}

}  // namespace
}  // namespace echelon
