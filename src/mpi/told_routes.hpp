// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/own_world.hpp"
#include "mpi/route.hpp"

#include <atomic>
#include <optional>

namespace echelon {

/// Routes over OwnWorld that cost no communicator, for trials and for communicators without synchronising
/// calls. Rank 0 of the communicator takes a number that is never used twice, and broadcasts it in a call in
/// which all ranks wait for it. Safe to use from several threads.
class ToldRoutes {
public:
    /// `world` must outlive this. Its routes use no tags of MPI_COMM_WORLD's recipes or of OwnWorld::copy().
    /// Local.
    explicit ToldRoutes(const OwnWorld& world);

    /// A new number; nothing if this process has none left. Local.
    std::optional<int> take();
    bool has_some() const { return first_ + taken_ < end_; }
    /// The route of a number that rank 0 broadcast. Requires: within_world(user). Local.
    Route route(MPI_Comm user, int number) const;

private:
    MPI_Comm comm_;
    int first_, end_;
    std::atomic<int> taken_ = 0;
};

}  // namespace echelon
