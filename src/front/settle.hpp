// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"
#include "front/tell.hpp"

namespace echelon {

// What the ranks of a communicator settle together: in calls that synchronise by themselves
// (PlanKey::synchronises), where communicators are made, and in functions of Tuning. Calls that wait for
// nobody only read what was settled, and note what they miss.

/// Settles what has come together: what the ranks were asked for, calls that nobody has decided, trials that
/// are over. Collective.
void settle(State& state, Telling how = Telling::at_once);

/// The same where no call synchronises, in one that hands out from rank 0: nobody waits but for that. Rank 0 tells what it thinks, and a way
/// for messages; times come to it by letters, and are told in a later such call. What needs communicators or windows is not tried.
/// May be called where the agenda says that it is time; on all ranks alike.
void settle_from_0(State& state);
/// Whether it can be: on several nodes whose ranks are known since MPI_Init, and not so many that rank 0 could not hear them. The same on
/// all ranks.
bool may_settle_from_0(State& state);

}  // namespace echelon
