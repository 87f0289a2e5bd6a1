// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace examples {

/// Mixes 64 bits, which makes neighbouring inputs unrelated: the finish of SplitMix64 (Steele, Lea and Flood
/// 2014).
constexpr std::uint64_t mixed(std::uint64_t bits) {
    bits += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
}

/// Random bits that depend on the seed and an index alone. Every rank makes the same element for an index;
/// the input of a program does not depend on the number of ranks.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
    return mixed(mixed(seed) ^ index);
}

/// random_bits as a number of [-1, 1).
constexpr double random_number(std::uint64_t seed, std::uint64_t index) {
    return double(random_bits(seed, index) >> 11) * 0x1p-52 - 1;
}

}  // namespace examples
