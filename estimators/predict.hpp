// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/machine.hpp"
#include "flat/algorithm.hpp"

namespace echelon {

/// time(cost, alpha, beta, gamma), generalised to any model: `steps` messages of volume / steps bytes one
/// after the other. Where the messages of an algorithm differ in length, a model whose parameters depend on
/// the length is asked at their mean.
Seconds time_of(const Cost& cost, const Network& network, SecondsPerByte gamma);

/// What an algorithm of the catalog takes on ranks that are joined by one network: a closed form, in well
/// under a microsecond for most. Under Hockney it is the row's cost formula; under the other models trees and
/// multi-message stages have forms of their own, since their messages overlap.
Seconds predict(const Algorithm& algorithm, const Problem& problem, const Network& network,
                SecondsPerByte gamma);

}  // namespace echelon
