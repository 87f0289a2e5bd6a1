// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// From so many ranks on hierarchies are tried unasked.
constexpr int few_ranks = 16;

/// Which recipe serves a call: what the program forced on the communicator, else what its info keys ask for,
/// else what the settings ask for, else what the machine's profile says, else the rule. Runs the same on all
/// ranks; sends nothing but on first use of a profile.
Choice choose(State& state, const PlanKey& key);

/// What is tried beside a choice in running calls, the choice itself first; empty: nothing, it is settled.
std::vector<Recipe> rivals(State& state, const PlanKey& key, const Choice& choice);

/// choose() answers `native` for every call of that collective: the front door need not look at them.
bool chooses_native_only(State& state, Collective collective);

/// The plain rule: where p >= 16 ranks call with at most 64 KiB, leaders(sqrt, ...) with algorithms of few
/// steps; else the native collective.
Recipe rule(Collective collective, int p, Bytes bytes);

/// Where the same bits are asked for in every run: an algorithm that combines in rank order and knows nothing
/// of where ranks sit.
Recipe reproducible_rule(Collective collective, Bytes bytes);

/// leaders(`groups`, ...) with the algorithms that the rule takes for the collective and size.
Recipe leaders_recipe(Groups groups, Collective collective, Bytes bytes);

}  // namespace echelon
