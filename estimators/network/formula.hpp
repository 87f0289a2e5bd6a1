// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cost.hpp"
#include "estimators/network/machine.hpp"

namespace echelon {

/// A paper's closed form under any model: the cost's steps as messages of mean length, one after the other.
/// Under Hockney it is alpha R + beta V + gamma C. Unlike the replay it ignores the placement of ranks and
/// overlap.
inline Seconds formula(const Cost& cost, const Network& network, SecondsPerByte gamma) {
    if (cost.steps == 0) return cost.reductions * gamma;
    const Seconds message = message_time(network, cost.volume / cost.steps);
    const Seconds hiding = cost.hiding_steps > 0
                               ? cost.hiding_steps * message_time(network, cost.hidden / cost.hiding_steps)
                               : 0;
    return cost.steps * message + cost.reductions * gamma + std::max(0.0, cost.hidden * gamma - hiding);
}

}  // namespace echelon
