// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// Measures messages and work on a communicator, for 50 ms at most: then the model knows what is worth a trial. Not where
/// ranks share processors, whose times would say nothing. Later communicators of these processes on several nodes profit. The front door asks for it (front/look.hpp). Collective, the same on
/// all ranks.
void look_at_machine(State& state);

}  // namespace echelon
