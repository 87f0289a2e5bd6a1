// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

// What one rank decides, which tells the others: what is found by rounding may be another recipe on another processor.

/// What the machine's profile says of such calls, else the rule, and what is to be tried beside it.
/// Requires, where there is a profile: state.own().placement(true, true) was asked for.
ToldChoice decide(State& state, const PlanKey& key);

/// By the profile, of calls that need not come: what that takes, if anything, is lost in the program's time.
bool may_decide_early(State& state, const PlanKey& key);

/// Of a call that the profile knows something of: it would be decided when it first came, and not for native, as far as that is
/// decided already.
bool may_gain_at_once(State& state, const PlanKey& key);

/// So many more calls should be native before a decision, as far as this rank has seen: they have taken too little
/// time yet for what it takes.
long calls_too_early(State& state, const PlanKey& key);

/// What a call would run by what this rank knows.
Choice choose(State& state, const PlanKey& key);

/// Decides where there is no profile; what it thinks best is tried beside native. Nullptr: a hierarchy has nothing to gain here, native
/// stays.
std::shared_ptr<Decider> prior(State& state, PriorMachine::Known known);

}  // namespace echelon
