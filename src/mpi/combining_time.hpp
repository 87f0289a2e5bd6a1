// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "mpi/quirks.hpp"

/// Where bench/platforms/gamma.c is preloaded, combining takes virtual time.
extern "C" __attribute__((weak)) void simulated_combining(double bytes);

namespace echelon {

/// A kernel has combined so many bytes: of simulated ranks that takes no time by itself.
inline void charge_combining([[maybe_unused]] Bytes bytes) {
    if constexpr (quirks::simulated)
        if (simulated_combining != nullptr) simulated_combining(double(bytes));
}

}  // namespace echelon
