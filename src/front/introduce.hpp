// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// A communicator was made: forgets what is known under its handle but does not hang on it. That is of one that
/// died unseen: MPICH runs delete callbacks, which may call collectives, when the last nonblocking call on a
/// freed communicator is through. Local.
void forget_dead(const Process& process, MPI_Comm made);

/// A communicator was made: forgets the dead, makes what is forced on its calls that wait for nobody; where there is a profile,
/// rank 0 tells what it says of them. Collective over it, where there is something to do.
void introduce(Process& process, MPI_Comm made);

/// Makes what a recipe needs that is forced on such calls, if they are calls that wait for nobody.
/// Collective.
void provide(State& state, Collective collective, const Recipe& recipe);

}  // namespace echelon
