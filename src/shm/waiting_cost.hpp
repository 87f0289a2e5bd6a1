// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shm/patience.hpp"

#include <chrono>

namespace echelon {

/// The costs of waiting on this machine. They differ widely between processors and systems.
struct WaitingCost {
    /// A round of spinning: a load and a pause.
    std::chrono::nanoseconds round;
    /// Falling asleep and being woken: the delay of a wait that ends just then.
    std::chrono::nanoseconds sleep;
};

/// Measured in the first call, which sleeps a few times for the shortest time. Local: two ranks find
/// different numbers. Safe to use from several threads.
const WaitingCost& waiting_cost();

/// The patience that fits these costs, without `progress`. `crowded`: not every rank has a processor of its
/// own (oversubscription).
Patience patience_by(const WaitingCost& cost, bool crowded);

}  // namespace echelon
