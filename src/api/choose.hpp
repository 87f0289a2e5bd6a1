// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// Which recipe serves a call: what the program forced on the communicator, else what its info keys ask for,
/// else what the settings ask for, else the rule. Runs the same on all ranks; no message is sent.
Choice choose(State& state, const PlanKey& key);

/// choose() answers `native` for every call of that collective: the front door need not look at them.
bool chooses_native_only(State& state, Collective collective);

/// The plain rule: where p >= 16 ranks call with at most 64 KiB, leaders(sqrt, ...) with algorithms of few
/// steps; else the native collective.
Recipe rule(Collective collective, int p, Bytes bytes);

/// leaders(`groups`, ...) with the algorithms that the rule takes for the collective and size.
Recipe leaders_recipe(Groups groups, Collective collective, Bytes bytes);

}  // namespace echelon
