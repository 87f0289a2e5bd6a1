// SPDX-License-Identifier: Apache-2.0
#include "core/order_free_sum.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

namespace echelon {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

constexpr int base = 40;                               // bits of a digit
constexpr int mantissa = 52, least = -1074;            // of a double: stored bits, exponent of the last bit
constexpr std::int64_t of_zeros = -2, of_others = 56;  // places of what is no finite number
constexpr std::int16_t special = 2047;                 // exponent of infinities and NaN
constexpr int lower_bits = 27;                         // of a number in two words
constexpr int of_count = 21;                           // bits of a count of infinities or NaN

/// A number as mantissa * 2^(place + least), with a sign. `exponent` is 0 for zeros, and `special`.
struct Parts {
    std::uint64_t mantissa;
    int exponent;
    bool negative;
    int place() const { return exponent - 1; }
};

Parts parts_of(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    const std::uint64_t fraction = bits & ((std::uint64_t(1) << mantissa) - 1);
    const int exponent = int(bits >> mantissa) & special;
    const bool negative = bits >> 63 != 0;
    if (exponent == 0) return {fraction, fraction != 0 ? 1 : 0, negative};
    return {fraction | std::uint64_t(1) << mantissa, exponent, negative};
}

/// A float has fewer bits of exponent and mantissa: it becomes a double without floating point arithmetic.
Parts parts_of(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint64_t fraction = bits & 0x7fffff;
    const int exponent = int(bits >> 23) & 255;
    const bool negative = bits >> 31 != 0;
    if (exponent == 255) return {fraction | std::uint64_t(1) << mantissa, special, negative};
    if (exponent == 0 && fraction == 0) return {0, 0, negative};
    std::uint64_t whole = exponent == 0 ? fraction : fraction | 0x800000;
    const int shift = std::countl_zero(whole) - (63 - mantissa);
    whole <<= shift;
    return {whole, std::max(exponent, 1) - 149 - 1 - least - shift + 1, negative};
}

bool is_nan(const Parts& special_one) {
    return (special_one.mantissa & ((std::uint64_t(1) << mantissa) - 1)) != 0;
}

template <class T>
using BitsOf = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

template <class T>
T with_sign(bool negative, BitsOf<T> bits) {
    return std::bit_cast<T>(BitsOf<T>(bits | BitsOf<T>(negative) << (8 * sizeof(T) - 1)));
}

int length_of(std::uint64_t number) { return 64 - std::countl_zero(number); }
int length_of(Wide number) {
    const auto high = std::uint64_t(number >> 64);
    return high != 0 ? 64 + length_of(high) : length_of(std::uint64_t(number));
}

/// magnitude * 2^exponent, rounded to the nearest T, ties to even. Requires: the last bit of T is less than
/// 2^(exponent + 63).
template <class T, class Magnitude>
T rounded(bool negative, Magnitude magnitude, int exponent) {
    using Bits = BitsOf<T>;
    constexpr int stored = std::numeric_limits<T>::digits - 1;
    constexpr int lowest = std::numeric_limits<T>::min_exponent - 1 - stored;  // exponent of the last bit
    constexpr int highest = std::numeric_limits<T>::max_exponent - 1 - stored;
    constexpr Bits infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    if (magnitude == 0) return with_sign<T>(negative, 0);
    const int last =
        std::max(exponent + length_of(magnitude) - 1 - stored, lowest);  // exponent of the result's last bit
    const int cut = last - exponent;
    Magnitude kept = cut <= 0 ? magnitude << -cut : magnitude >> cut;
    if (cut > 0) {
        const Magnitude rest = magnitude & ((Magnitude(1) << cut) - 1), half = Magnitude(1) << (cut - 1);
        if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
    }
    // A mantissa that overflows increments the exponent behind it.
    const auto bits = (std::uint64_t(last - lowest) << stored) + std::uint64_t(kept);
    return with_sign<T>(negative, last > highest ? infinity : Bits(bits));
}

template <class T>
T special_sum(std::int64_t not_numbers, std::int64_t positive, std::int64_t negative) {
    if (not_numbers > 0 || (positive > 0 && negative > 0)) return std::numeric_limits<T>::quiet_NaN();
    return with_sign<T>(negative > 0, std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::infinity()));
}

Binned binned_of(const Parts& parts) {
    if (parts.exponent == 0) return {of_zeros, {parts.negative ? 0 : 1, 0, 0}};
    if (parts.exponent == special) {
        const bool nan = is_nan(parts);
        return {of_others, {nan ? 1 : 0, !nan && !parts.negative ? 1 : 0, !nan && parts.negative ? 1 : 0}};
    }
    constexpr auto digit = (Wide(1) << base) - 1;
    const int place = parts.place(), top = (place + mantissa) / base;
    // The number ends in the lowest of the three digits, or above it.
    const Wide shifted = Wide(parts.mantissa) << (place - base * (top - 2));
    Binned made{top, {}};
    for (int i = 0; i < 3; ++i) {
        const auto part = std::int64_t(shifted >> (base * (2 - i)) & digit);
        made.digits[std::size_t(i)] = parts.negative ? -part : part;
    }
    return made;
}

Binned sum(const Binned& a, const Binned& b) {
    if (a.top == b.top)
        return {a.top, {a.digits[0] + b.digits[0], a.digits[1] + b.digits[1], a.digits[2] + b.digits[2]}};
    const Binned& higher = a.top >= b.top ? a : b;
    const Binned& lower = a.top >= b.top ? b : a;
    Binned made = higher;
    for (auto i = std::size_t(higher.top - lower.top), from = std::size_t(0); i < 3; ++i, ++from)
        made.digits[i] += lower.digits[from];
    return made;
}

/// Carries the digits upwards: all but the first are in [0, 2^40).
void carry(std::array<std::int64_t, 3>& digits) {
    for (std::size_t i = 2; i > 0; --i) {
        const std::int64_t up = digits[i] >> base;
        digits[i - 1] += up;
        digits[i] -= up * (std::int64_t(1) << base);
    }
}

template <class T>
T number_of(const Binned& binned) {
    if (binned.top == of_zeros) return with_sign<T>(binned.digits[0] == 0, 0);
    if (binned.top == of_others) return special_sum<T>(binned.digits[0], binned.digits[1], binned.digits[2]);
    auto digits = binned.digits;
    carry(digits);
    const bool negative = digits[0] < 0;
    if (negative) {
        for (std::int64_t& digit : digits) digit = -digit;
        carry(digits);
    }
    const auto top = Wide(std::uint64_t(digits[0])), middle = Wide(std::uint64_t(digits[1])),
               low = Wide(std::uint64_t(digits[2]));
    const int exponent = base * (int(binned.top) - 2) + least;
    // If the digits are longer than a word, a bit stands for the last one: it is far below the mantissa.
    if (top >> (128 - 2 * base - 1) == 0)
        return rounded<T>(negative, top << 2 * base | middle << base | low, exponent);
    return rounded<T>(negative, (top << base | middle) << 1 | Wide(low != 0), exponent + base - 1);
}

std::int64_t word_of(const Parts& parts, std::int16_t shared) {
    if (shared == 0) return parts.negative ? 0 : 1;
    if (shared == special) {
        if (parts.exponent != special) return 0;
        return std::int64_t(1) << (is_nan(parts) ? 0 : parts.negative ? 2 * of_count : of_count);
    }
    // A zero's mantissa is 0 at any place.
    const int cut = std::min(shared - parts.exponent, 63);
    const std::uint64_t twice = parts.mantissa << 1;
    const auto nearest = std::int64_t((twice + ((std::uint64_t(1) << cut) >> 1)) >> cut);
    return parts.negative ? -nearest : nearest;
}

/// `total` is the sum of the words.
template <class T>
T sum_of_words(SignedWide total, std::int16_t shared) {
    if (shared == 0) return with_sign<T>(total == 0, 0);
    if (shared == special) {
        const auto count = [&](int from) { return std::int64_t(total >> from) & ((1 << of_count) - 1); };
        return special_sum<T>(count(0), count(of_count), count(2 * of_count));
    }
    const bool negative = total < 0;
    const auto magnitude = Wide(negative ? -total : total);
    const int exponent = shared - 1 + least - 1;
    return magnitude >> 64 == 0 ? rounded<T>(negative, std::uint64_t(magnitude), exponent)
                                : rounded<T>(negative, magnitude, exponent);
}

}  // namespace

template <class T>
void to_binned(std::span<const T> numbers, Binned* binned) {
    for (const T number : numbers) *binned++ = binned_of(parts_of(number));
}

void add_binned(void* into, const void* left, const void* right, std::size_t count) {
    auto* const sums = static_cast<Binned*>(into);
    const auto *const a = static_cast<const Binned*>(left), *const b = static_cast<const Binned*>(right);
    for (std::size_t i = 0; i < count; ++i) sums[i] = sum(a[i], b[i]);
}

template <class T>
void from_binned(const Binned* sums, std::span<T> numbers) {
    for (T& number : numbers) number = number_of<T>(*sums++);
}

template <class T>
void exponents_of(std::span<const T> numbers, std::int16_t* exponents) {
    for (const T number : numbers) *exponents++ = std::int16_t(parts_of(number).exponent);
}

template <class T>
void to_words(std::span<const T> numbers, const std::int16_t* shared, bool is_long, std::int64_t* words) {
    for (const T number : numbers) {
        const std::int64_t whole = word_of(parts_of(number), *shared++);
        if (is_long) *words++ = whole >> lower_bits;
        *words++ = is_long ? whole & ((1 << lower_bits) - 1) : whole;
    }
}

template <class T>
void from_words(const std::int64_t* sums, const std::int16_t* shared, bool is_long, std::span<T> numbers) {
    for (T& number : numbers) {
        SignedWide total = *sums++;
        if (is_long) total = total * (1 << lower_bits) + *sums++;
        number = sum_of_words<T>(total, *shared++);
    }
}

#define ECHELON_INSTANTIATE(T)                                                            \
    template void to_binned(std::span<const T>, Binned*);                                 \
    template void from_binned(const Binned*, std::span<T>);                               \
    template void exponents_of(std::span<const T>, std::int16_t*);                        \
    template void to_words(std::span<const T>, const std::int16_t*, bool, std::int64_t*); \
    template void from_words(const std::int64_t*, const std::int16_t*, bool, std::span<T>);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
