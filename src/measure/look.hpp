// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// Measures messages and work on a communicator for 50 ms at most, after which the model can tell which
/// trials are worthwhile. Does nothing on oversubscribed nodes, where times are useless. Later communicators
/// of these processes on several nodes reuse the result. The tuner calls it (tuner/look.hpp). Collective, the
/// same on all ranks.
void look_at_machine(Tuner& tuner);

}  // namespace echelon
