// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// A brief calibration of the machine under a communicator. Collective.
using LookAt = void (*)(Tuner&);
/// Registers the function that does it, before the first call: src/measure has it, which stands above this
/// room. Without it no machine is calibrated briefly.
void look_by(LookAt look);

/// Calibrates the machine briefly, if the settings allow it, no profile is known, the communicator is large
/// enough for hierarchies, two seconds have passed since its first trial began, and some tried calls are
/// short. On several nodes the process of rank 0 does this once for all its communicators. Collective, equal
/// on all ranks.
void look_where_it_helps(Tuner& tuner);

}  // namespace echelon
