// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/comm.hpp"
#include "mpi/route.hpp"

namespace echelon {

/// A copy of MPI_COMM_WORLD, made in MPI_Init: messages of recipes on MPI_COMM_WORLD need no other. What is made from
/// it leaves no trace on the program's communicators, as MPI_Comm_split does where
/// quirks::nonblocking_collectives_use_up_tags.
class OwnWorld {
public:
    /// Collective over MPI_COMM_WORLD, on which nothing else may be under way: no receive for any tag either,
    /// since Open MPI makes communicators of groups with messages like the program's.
    OwnWorld();

    MPI_Comm get() const { return comm_.get(); }
    /// Of messages of recipes on MPI_COMM_WORLD. Local.
    Route route() const;
    /// The ranks of `user` in their order; null where the library has no communicator left. Requires:
    /// within_world(user), and one thread at a time. Collective over `user`.
    Comm copy(MPI_Comm user) const;

private:
    Comm comm_;
};

}  // namespace echelon
