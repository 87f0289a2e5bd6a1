// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Sums of floating point numbers whose bits do not depend on the order of the additions: the numbers become
// integers, which are added exactly, and the sum is rounded once. Infinities and NaN give what IEEE 754 says,
// and a sum of negative zeros alone is a negative zero. No function uses floating point arithmetic or has
// state: the program's rounding mode and flush-to-zero do not matter. T is float or double.
//
// There are two ways. A binned number (Demmel and Nguyen 2015; Ahrens, Demmel and Nguyen 2020) needs one
// exchange and four words. Numbers with a shared exponent (Demmel and Nguyen 2013; Hallberg and Adcroft 2014)
// need a maximum of 16 bits before the sum of one word.

namespace echelon {

/// A sum in three digits of base 2^40, of which the first belongs to the largest number. Each digit is a sum
/// of up to 2^23 parts of numbers without a carry. Parts below the third digit are dropped: the error of a
/// sum of n numbers is at most n * 2^-80 of the largest, before the rounding.
struct Binned {
    /// Place of the first digit, in units of 40 bits above 2^-1074; less for zeros, more for infinities and
    /// NaN, whose digits count them.
    std::int64_t top = -2;
    std::array<std::int64_t, 3> digits{};
};

template <class T>
void to_binned(std::span<const T> numbers, Binned* binned);
/// into[i] = left[i] + right[i]. `into` may be either operand.
void add_binned(void* into, const void* left, const void* right, std::size_t count);
template <class T>
void from_binned(const Binned* sums, std::span<T> numbers);

/// The exponents that the ranks compare: the maximum of all ranks is the shared one.
template <class T>
void exponents_of(std::span<const T> numbers, std::int16_t* exponents);
/// The most numbers of one sum.
inline constexpr int most_short_terms = 512, most_terms = (1 << 21) - 1;
/// Numbers as multiples of 2^-53 of the power of two in their shared exponent, rounded to the nearest: one
/// word each, or with `is_long` two, for sums of more than most_short_terms numbers. The sums are the same.
template <class T>
void to_words(std::span<const T> numbers, const std::int16_t* shared, bool is_long, std::int64_t* words);
template <class T>
void from_words(const std::int64_t* sums, const std::int16_t* shared, bool is_long, std::span<T> numbers);

}  // namespace echelon
