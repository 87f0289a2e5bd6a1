// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

#include <span>

namespace echelon {

/// Fits a machine to the times of collectives alone. The parameters of the replay start at the built-in
/// machine and move until replayed and measured times agree in the logarithm (Levenberg and Marquardt, with a
/// bounded loss against outliers). Parameters that the samples do not show keep their ratio to the others.
/// Samples of native collectives and of recipes without a price are skipped.
///
/// Throws Error if too few samples count.
Parameters fit_samples(std::span<const Sample> samples);

}  // namespace echelon
