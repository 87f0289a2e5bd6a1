// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/arms.hpp"

#include <optional>

namespace echelon {

// Rank 0 decides for all ranks: on another processor, rounding may lead to another recipe.

/// A decision for a class of calls.
struct CallDecision {
    Choice choice;
    /// The arms of its trial; with fewer than two nothing is tried.
    std::vector<Trial::Arm> arms = {};
    /// slowdown() of the messages of the trial.
    double slower = 1;
};

/// The choice by the start-up benchmark, by findings, by the machine's profile or by the built-in machine,
/// and the arms to try beside it. Requires: with a profile, tuner.own().placement(true, true) was called.
/// Without `trials` the arms are left out.
CallDecision decide(Tuner& tuner, const PlanKey& key, bool trials = true);
/// decide(), and native if it fails. It counts as time of decisions. Nullopt: it takes more seconds than
/// `most`; what was found is kept for the next attempt.
std::optional<CallDecision> decide_within(Tuner& tuner, const PlanKey& key, Seconds most, bool trials = true);

/// The decision by the start-up benchmark: `shm` serves at once if it was faster and its window exists.
/// Otherwise it is tried beside native, unless it lost in calls too short for a trial. Nullopt: there is no
/// result, or another recipe was asked for. Local, equal on all ranks.
std::optional<CallDecision> startup_decision(Tuner& tuner, const PlanKey& key);

/// The choice for a call by the knowledge of this rank alone.
Choice choose(Tuner& tuner, const PlanKey& key);

}  // namespace echelon
