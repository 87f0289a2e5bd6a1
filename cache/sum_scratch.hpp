// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/order_free_sum.hpp"

#include <mpi.h>
#include <cstdint>
#include <tuple>
#include <vector>

namespace echelon {

/// Integers of sums that no order changes (front/any_order.cpp): a repeated call on the communicator
/// allocates nothing.
struct SumScratch {
    template <class Integer>
    struct Integers {
        std::vector<Integer> operands, sums;
    };
    std::tuple<Integers<Binned>, Integers<std::int64_t>> integers;
    std::vector<std::int16_t> exponents;
    std::vector<MPI_Count> counts;

    template <class Integer>
    Integers<Integer>& of() {
        return std::get<Integers<Integer>>(integers);
    }
    /// Frees long vectors after a call, whose allocation takes a small part of the call's time.
    void shrink() {
        std::apply([](auto&... all) { (..., (shrink(all.operands), shrink(all.sums))); }, integers);
        shrink(exponents);
    }

private:
    template <class T>
    static void shrink(std::vector<T>& vector) {
        constexpr std::size_t most = std::size_t(1) << 20;
        if (vector.capacity() * sizeof(T) > most) std::vector<T>().swap(vector);
    }
};

}  // namespace echelon
