// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/own_world.hpp"
#include "mpi/route.hpp"

#include <atomic>
#include <optional>

namespace echelon {

/// Ways over our own world that cost no communicator, for what is tried and for communicators whose ranks never talk together: rank 0
/// of one takes a number that no other has, or will have, and tells it in a call in which all wait for it. Safe to use from several threads.
class ToldRoutes {
public:
    /// Over a world that outlives it, beside the messages of MPI_COMM_WORLD and those by which communicators are made. Local.
    explicit ToldRoutes(const OwnWorld& world);

    /// Nullopt: this process has none left. Local.
    std::optional<int> take();
    bool has_some() const { return first_ + taken_ < end_; }
    /// Under a number that was told. Requires: within_world(user). Local.
    Route route(MPI_Comm user, int number) const;

private:
    MPI_Comm comm_;
    int first_, end_;
    std::atomic<int> taken_ = 0;
};

}  // namespace echelon
