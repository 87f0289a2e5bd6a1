// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/own_world.hpp"
#include "mpi/route.hpp"

#include <mutex>
#include <optional>
#include <set>

namespace echelon {

/// One communicator for all: our own world, over which the messages of any of the user's
/// communicators travel, told apart by their tags. For libraries that cannot be asked for communicators at
/// any time: Open MPI 4.1 hangs where threads make them from several at once, though each thread has its own
/// (docs/drop_in.md). Safe to use from several threads.
class Channel {
public:
    /// Over a world that outlives it. Local.
    explicit Channel(const OwnWorld& world);

    /// Tags that no other route between these processes has. Nullopt, alike on all ranks: there are none
    /// left. Requires: within_world(user). Collective over `user`; makes no communicator.
    std::optional<Route> open(MPI_Comm user);
    /// This process has done with it.
    void close(const Route& route);

private:
    int propose();
    bool claim(int number);
    void give_back(int number);

    MPI_Comm comm_;
    int rank_, each_;  // numbers that a process may propose: from rank_ * each_ on
    std::mutex mutex_;
    int next_ = 0;
    std::set<int> taken_;
};

}  // namespace echelon
