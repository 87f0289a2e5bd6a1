// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

#include <string>

namespace echelon {

// The messages between rank 0 and the other ranks of a communicator. They advance by one step in each call
// while some are awaited. Ranks wait for each other only in calls in which they wait anyway: for all ranks in
// calls that synchronise, for rank 0 in calls from rank 0.

/// One step in a call. `together`: the call synchronises, or all calls may. Equal on all ranks.
void attend(Tuner& tuner, const PlanKey& key, bool together);

/// The class of the call asks for rank 0's word. Equal on all ranks.
void ask(Tuner& tuner, CallState& calls);
/// Rank 0 answers the classes that ask, and evaluates numbers that have come: in a broadcast while calls go
/// on, or at once for a class without native calls before. Collective, in a synchronising call without a
/// message under way.
void answer(Tuner& tuner);

/// Compares the requests of the ranks, and completes all messages that are due. Collective.
void settle(Tuner& tuner);

/// Takes over a row of rank 0. Equal on all ranks. `together`: communicators may be made.
void take(Tuner& tuner, Row row, bool together);

}  // namespace echelon
