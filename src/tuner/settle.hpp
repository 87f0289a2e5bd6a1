// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tell.hpp"
#include "tuner/tuner.hpp"

namespace echelon {

// The pending work of a communicator, which its ranks settle together: in synchronising calls
// (PlanKey::synchronises), on communicator creation, and in functions of Tuning. Other calls only read the
// results and add work.

/// Compares the requests of the ranks, decides undecided calls, and exchanges timings of trials. Collective.
void settle(Tuner& tuner, Telling how = Telling::at_once);

/// Settles without synchronising calls, in a call in which all ranks wait for rank 0. Rank 0 broadcasts its
/// decisions and a route. An asynchronous reduction brings timings to rank 0, which broadcasts them in a
/// later call. Recipes that need communicators or windows are left out. Requires: may_settle_from_0() and
/// PendingDecisions::is_time_to_tell().
void settle_from_0(Tuner& tuner);
/// True on several nodes, if MPI_Init told the placement and the ranks are few enough for rank 0 to receive
/// from all. Equal on all ranks.
bool may_settle_from_0(Tuner& tuner);

}  // namespace echelon
