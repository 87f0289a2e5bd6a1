// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shm/patience.hpp"

#include <chrono>

namespace echelon {

/// What ways to wait take a process here. A pause takes 3 to 140 cycles by processor, and to be woken from one to some fifty microseconds.
struct WaitingCost {
    /// A round of spinning: a look, and a pause.
    std::chrono::nanoseconds round;
    /// To lie down and be woken: so much longer takes a wait whose end comes just then.
    std::chrono::nanoseconds sleep;
};

/// Measured in the first call, which takes some 60 us here, most of them asleep. Local: two ranks find different numbers. Safe to use
/// from several threads.
const WaitingCost& waiting_cost();

/// How to wait there; without progress. `crowded`: not every rank has a processor of its own.
Patience patience_by(const WaitingCost& cost, bool crowded);

}  // namespace echelon
