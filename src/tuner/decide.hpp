// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

#include <optional>

namespace echelon {

// Rank 0 decides for all ranks: on another processor, rounding may lead to another recipe.

/// A decision for a class of calls.
struct CallDecision {
    Choice choice;
    /// The arms of a trial, the choice first; fewer than two: nothing is tried.
    std::vector<Trial::Arm> arms = {};
    /// Time of messages over the time that DefaultCosts assumes.
    double slower = 1;
};

/// The choice by the start-up benchmark, by findings, by the machine's profile or by the built-in machine,
/// and the arms to try beside it. Requires: with a profile, tuner.own().placement(true, true) was called.
CallDecision decide(Tuner& tuner, const PlanKey& key);
/// decide(), and native if it fails. It counts as time of decisions.
CallDecision decide_or_native(Tuner& tuner, const PlanKey& key);

/// The decision by the start-up benchmark: `shm` serves at once if it was faster and its window exists.
/// Otherwise it is tried beside native, unless it lost in calls too short for a trial. Nullopt: there is no
/// result, or another recipe was asked for. Local, equal on all ranks.
std::optional<CallDecision> startup_decision(Tuner& tuner, const PlanKey& key);

/// True if a trial of these calls is allowed. Equal on all ranks.
bool may_be_tried(Tuner& tuner, const PlanKey& key);

/// Factor by which calls take longer than expected, in the mean. The errors of a profile's model are taken as
/// lognormal, four of five below its residual.
double doubt(Tuner& tuner);

/// True if a decision is cheap enough for calls that may never come.
bool may_decide_early(Tuner& tuner, const PlanKey& key);

/// Number of further native calls before a decision pays off; 0: decide at once. `counted`: number of native
/// calls that were made, `since`: clock of rank 0 at the first of them.
long further_native_calls(Tuner& tuner, const PlanKey& key, long counted, Seconds since);

/// The choice for a call by the knowledge of this rank alone.
Choice choose(Tuner& tuner, const PlanKey& key);

/// The decider without a profile; its best recipes are tried beside native. Nullptr: native stays, since a
/// hierarchy gains nothing on one node or among few ranks.
std::shared_ptr<Decider> prior_decider(Tuner& tuner);

}  // namespace echelon
