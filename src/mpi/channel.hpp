// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/own_world.hpp"
#include "mpi/route.hpp"

#include <mutex>
#include <optional>
#include <set>

namespace echelon {

/// One communicator (OwnWorld) for the messages of all the user's communicators, distinguished by tags. It
/// serves libraries that cannot make communicators at any time: Open MPI 4.1 hangs if several threads make
/// them at once, even from different parents (docs/drop_in.md). Safe to use from several threads.
class Channel {
public:
    /// `world` must outlive this. Local.
    explicit Channel(const OwnWorld& world);

    /// A route with tags that no other route between these processes has; nothing, on all ranks, if none are
    /// left. Requires: within_world(user). Collective over `user`; makes no communicator.
    std::optional<Route> open(MPI_Comm user);
    /// Releases the route in this process. Local.
    void close(const Route& route);

private:
    int propose();
    bool claim(int number);
    void give_back(int number);

    MPI_Comm comm_;
    int rank_, each_;  // the process may propose each_ numbers from rank_ * each_ on
    std::mutex mutex_;
    int next_ = 0;
    std::set<int> taken_;
};

}  // namespace echelon
