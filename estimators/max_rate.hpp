// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/units.hpp"

#include <algorithm>

namespace echelon {

/// The max-rate model (Gropp, Olson and Samfass 2016): each of k ranks of a node that send at once gets its
/// own rate, or its share of the network card's if that is less. As a machine: between nodes Hockney{alpha, 1
/// / own}, and the card.
struct MaxRate {
    Seconds alpha = 0;
    BytesPerSecond own = 0;
    BytesPerSecond card = 0;

    Seconds time(double bytes, int pairs) const { return alpha + bytes * std::max(1 / own, pairs / card); }

    friend bool operator==(const MaxRate&, const MaxRate&) = default;
};

}  // namespace echelon
