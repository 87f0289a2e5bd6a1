// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/comm.hpp"
#include "mpi/route.hpp"

namespace echelon {

/// A copy of MPI_COMM_WORLD, made in MPI_Init. It carries the messages of recipes on MPI_COMM_WORLD.
/// Communicators made from it leave no trace on the program's, unlike MPI_Comm_split
/// (quirks::nonblocking_collectives_use_up_tags).
class OwnWorld {
public:
    /// Collective over MPI_COMM_WORLD. Requires: no communication under way on it, and no receive for any
    /// tag: Open MPI makes communicators of groups with ordinary messages.
    OwnWorld();

    MPI_Comm get() const { return comm_.get(); }
    /// The route of recipes on MPI_COMM_WORLD. Local.
    Route route() const;
    /// A communicator of the ranks of `user`, in their order; null if the library has no communicator left.
    /// Requires: within_world(user), and one thread at a time. Collective over `user`.
    Comm copy(MPI_Comm user) const;

private:
    Comm comm_;
};

}  // namespace echelon
