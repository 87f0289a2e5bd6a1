// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// The plan for a call, made if it is new. A recipe that cannot serve is refused aloud: an error where
/// strictness was asked for, else the native collective. Collective where it is new. `passed` was found sound:
/// where nothing but the library can serve it, it is not looked at again.
Plan& plan_for(State& state, const PlanKey& key, const PassedCall& passed);

}  // namespace echelon
