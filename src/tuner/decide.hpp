// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

// Rank 0 decides for all ranks: on another processor, rounding may lead to another recipe.

/// The choice by the machine's profile or by the rule, and the arms to try beside it. Requires: with a
/// profile, tuner.own().placement(true, true) was called.
CallDecision decide(Tuner& tuner, const PlanKey& key);

/// True if a decision by the profile is cheap enough for calls that may never come.
bool may_decide_early(Tuner& tuner, const PlanKey& key);

/// True if the first call of its class would be decided at once, and not for native as far as that is decided
/// already. Requires: a profile.
bool may_gain_at_once(Tuner& tuner, const PlanKey& key);

/// Number of further native calls before a decision pays off, by the clock of this rank; 0: decide at once.
long further_native_calls(Tuner& tuner, const PlanKey& key);

/// The choice for a call by the knowledge of this rank alone.
Choice choose(Tuner& tuner, const PlanKey& key);

/// The decider without a profile; its best recipes are tried beside native. Nullptr: native stays, since a
/// hierarchy gains nothing on one node or among few ranks.
std::shared_ptr<Decider> prior_decider(Tuner& tuner);

}  // namespace echelon
