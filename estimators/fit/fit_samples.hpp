// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

#include <span>

namespace echelon {

/// The machine on which the samples' recipes take what was measured, found from the times of collectives
/// alone: the parameters of the replay are moved, from those of the built-in machine on, until replayed and
/// measured times agree in the logarithm (Levenberg and Marquardt; a bounded loss, so that wild samples count
/// little). What the samples do not show keeps its ratio to what they show. Takes some ten milliseconds a
/// sample. Samples of native collectives, and of what the model cannot price, are passed over.
///
/// Error: too few samples that count.
Parameters fit_samples(std::span<const Sample> samples);

}  // namespace echelon
