// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// The plan for a call, made if it is new. A recipe that cannot serve is refused aloud: an error where
/// strictness was asked for, else the native collective. Collective where it is new. `passed`: where
/// its count is above 0, it is sound, and not looked at again where nothing but the library can serve it.
Plan& plan_for(State& state, const PlanKey& key, const PassedCall& passed);

/// A call that waits for nobody could not be decided, or served, by what is known; it is the library's until the ranks have
/// settled. Local.
Plan& postpone(State& state, const PlanKey& key);

}  // namespace echelon
