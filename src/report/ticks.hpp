// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"

#include <chrono>
#include <cstdint>

namespace echelon {

/// The cheapest clock of the processor, for times of calls: a reading takes some nanoseconds.
inline std::uint64_t ticks() {
    if constexpr (quirks::simulated) return std::uint64_t(PMPI_Wtime() * 1e9);
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();  // including <x86intrin.h> would slow down each compilation
#else
    return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

#ifdef __x86_64__
inline constexpr bool ticks_are_nanoseconds = quirks::simulated;
#else
inline constexpr bool ticks_are_nanoseconds = true;
#endif

/// Converts ticks to seconds: it reads both clocks when it is made and when it is asked.
class TickScale {
public:
    double seconds_per_tick() const {
        if constexpr (ticks_are_nanoseconds) return 1e-9;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - since_;
        const std::uint64_t now = ticks();
        return now > first_ ? passed.count() / double(now - first_) : 0;
    }

private:
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
    std::uint64_t first_ = ticks();
};

}  // namespace echelon
