// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

#include <memory>
#include <vector>

namespace echelon {

// The arms of a trial: the recipes that rank 0 compares for a class, with their expected times.

/// The incumbent comes first.
struct Arms {
    std::vector<Trial::Arm> list = {};
    /// Time of messages over the time that DefaultCosts assumes.
    double slower = 1;
};

/// The arms beside a choice: the choice first, native, findings, the choice without findings, and
/// the best recipes by price.
Arms arms_of(Tuner& tuner, const PlanKey& key, const Choice& choice, const Choice& unlearned,
             const std::vector<LearnedDecision>& findings);

/// Findings of other communicators and of earlier programs for calls of this class and its neighbours.
std::vector<LearnedDecision> findings_for(Tuner& tuner, const PlanKey& key);

/// The decider without a profile; its best recipes are tried beside native. Nullptr: native stays, since a
/// hierarchy gains nothing on one node or among few ranks.
std::shared_ptr<Decider> prior_decider(Tuner& tuner);

/// Factor by which calls take longer than expected, in the mean. The errors of a profile's model are taken as
/// lognormal, four of five below its residual.
double doubt(Tuner& tuner, const PlanKey& key);

/// The fastest arm of those that need no communicators for native phases; nullptr if no time is known.
const Trial::Arm* fastest_without_native_parts(const std::vector<Trial::Arm>& arms);
/// Expected time of a call over the calls of a typical program, with the cost of its communicators.
Seconds in_all(const Trial::Arm& arm);

}  // namespace echelon
