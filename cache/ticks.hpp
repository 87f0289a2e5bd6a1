// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__) && !defined(ECHELON_SMPI)
#define ECHELON_TICKS_OF_PROCESSOR
#elif defined(ECHELON_SMPI)
#include <mpi.h>
#endif

namespace echelon {

/// The cheapest clock there is, for time inside of calls: some nanoseconds a reading.
inline std::uint64_t ticks() {
#if defined(ECHELON_SMPI)
    return std::uint64_t(PMPI_Wtime() * 1e9);
#elif defined(ECHELON_TICKS_OF_PROCESSOR)
    return __builtin_ia32_rdtsc();  // the header that names it is a second of each compilation
#else
    return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Tells seconds from ticks: by what both clocks say at its making and when it is asked.
class TickScale {
public:
    double seconds_per_tick() const {
#ifdef ECHELON_TICKS_OF_PROCESSOR
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - since_;
        const std::uint64_t now = ticks();
        return now > first_ ? passed.count() / double(now - first_) : 0;
#else
        return 1e-9;
#endif
    }

private:
#ifdef ECHELON_TICKS_OF_PROCESSOR
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
    std::uint64_t first_ = ticks();
#endif
};

}  // namespace echelon
