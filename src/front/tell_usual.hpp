// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// A communicator was made where there is a profile, or got one of its own: rank 0 tells what it says of usual calls, as far as that is at hand, or costs a
/// hundredth of the program's time, or, `asked` for, a tenth of a second; of which others the first ones need not ask it; and a way for messages. One broadcast, where they need no more. Requires: state.machine() has the profile. Collective.
void tell_usual_calls(State& state, bool asked = false);

}  // namespace echelon
