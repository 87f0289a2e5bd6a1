// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

#include <memory>
#include <vector>

namespace echelon {

// The arms of a trial: the recipes that rank 0 compares for a class, with their expected times.

/// The arms beside a choice: the choice first, native, findings, the choice without findings, and
/// the best recipes by price. `slower`: slowdown().
std::vector<Trial::Arm> arms_of(Tuner& tuner, const PlanKey& key, const Choice& choice,
                                const Choice& unlearned, const std::vector<LearnedDecision>& findings,
                                double slower);
/// Time of messages over the time that DefaultCosts assumes, by the profile or by MPI_Init's measurement; 1
/// without them.
double slowdown(Tuner& tuner, const PlanKey& key);

/// Findings of other communicators and of earlier programs for calls of this class and its neighbours.
std::vector<LearnedDecision> findings_for(Tuner& tuner, const PlanKey& key);

/// The decider without a profile; its best recipes are tried beside native. Nullptr: native stays, since a
/// hierarchy gains nothing on one node or among few ranks.
std::shared_ptr<Decider> prior_decider(Tuner& tuner);

/// Factor by which calls take longer than expected, in the mean. The errors of a profile's model are taken as
/// lognormal, four of five below its residual.
double doubt(Tuner& tuner, const PlanKey& key);

}  // namespace echelon
