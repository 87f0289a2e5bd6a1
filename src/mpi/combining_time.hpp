// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "mpi/quirks.hpp"

/// With bench/platforms/gamma.c preloaded, combining takes virtual time.
extern "C" __attribute__((weak)) void simulated_combining(double bytes);

namespace echelon {

/// Charges a simulated rank for `bytes` combined by a kernel, which by itself takes no virtual time.
inline void charge_combining([[maybe_unused]] Bytes bytes) {
    if constexpr (quirks::simulated)
        if (simulated_combining != nullptr) simulated_combining(double(bytes));
}

}  // namespace echelon
