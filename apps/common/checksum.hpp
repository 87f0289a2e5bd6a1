// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/random.hpp"

#include <mpi.h>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace examples {

inline std::string hexadecimal(std::uint64_t bits) {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(bits));
    return digits;
}

/// Checksum of a distributed set of numbers with their places, in any order; it compares bits.
class Checksum {
public:
    void add(std::uint64_t place, double value) {
        bits_ ^= random_bits(place, std::bit_cast<std::uint64_t>(value));
    }
    std::uint64_t bits() const { return bits_; }
    /// Checksum over the numbers of all ranks, in hexadecimal digits. Collective.
    std::string over(MPI_Comm comm) const {
        std::uint64_t all = 0;
        MPI_Allreduce(&bits_, &all, 1, MPI_UINT64_T, MPI_BXOR, comm);
        return hexadecimal(all);
    }

private:
    std::uint64_t bits_ = 0;
};

/// Checksum of numbers that every rank has.
template <class Numbers>
std::uint64_t checksum_of(const Numbers& numbers) {
    Checksum checksum;
    for (std::size_t i = 0; i < numbers.size(); ++i) checksum.add(i, double(numbers[i]));
    return checksum.bits();
}

}  // namespace examples
