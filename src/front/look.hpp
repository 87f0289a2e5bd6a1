// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// Measures the machine under a communicator, for an instant. Collective.
using LookAt = void (*)(State&);
/// How that is done is known in a room that stands on this one, and says so before the first call. Until then nobody looks.
void look_by(LookAt look);

/// Has a communicator looked at, where nothing is known of its machine, it is large enough for hierarchies, some of the calls
/// that were tried are short, two seconds have passed since, and nobody has forbidden it; on several nodes once, for all communicators of
/// the process of their rank 0. Collective, the same on all ranks.
void look_where_it_helps(State& state);

}  // namespace echelon
