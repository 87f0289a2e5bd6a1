// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// Whether a communicator is to be measured briefly: nothing is known of its machine, it is large enough for
/// hierarchies, some of the calls that were tried are short, two seconds have passed since, and nobody has forbidden it. The
/// same on all ranks.
bool wants_a_look(State& state);
/// Measures messages and work on it, for 50 ms at most: then the model knows what is worth a trial. Not where
/// ranks share processors, whose times would say nothing. Collective, the same on all ranks.
void look_at_machine(State& state);

}  // namespace echelon
