// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/cost.hpp"
#include "estimators/network/machine.hpp"

namespace echelon {

/// The papers' closed form under any model: as many messages as the cost has steps, one after the other, of
/// their mean length. Under Hockney it is alpha R + beta V + gamma C. It knows neither where ranks sit nor
/// what overlaps; the replay does.
inline Seconds formula(const Cost& cost, const Network& network, SecondsPerByte gamma) {
    if (cost.steps == 0) return cost.reductions * gamma;
    const Seconds message = message_time(network, cost.volume / cost.steps);
    const Seconds hiding = cost.hiding_steps > 0
                               ? cost.hiding_steps * message_time(network, cost.hidden / cost.hiding_steps)
                               : 0;
    return cost.steps * message + cost.reductions * gamma + std::max(0.0, cost.hidden * gamma - hiding);
}

}  // namespace echelon
