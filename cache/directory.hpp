// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/recent.hpp"

#include <mpi.h>

#include <mutex>
#include <unordered_map>

namespace echelon {

class State;

/// The states of a process by their communicators. MPI is not asked for a state, although it is an attribute:
/// if a handle is wrong, error handlers would run once more than without Echelon, and while attributes are
/// deleted, MPICH 4.0 searches a list with freed parts. Safe to use from several threads.
class Directory {
public:
    /// The state of a communicator; null if it has none.
    State* find(MPI_Comm comm) const {
        const std::uint64_t generation = Recent::now();
        const std::scoped_lock lock(mutex_);
        const auto found = states_.find(comm);
        if (found == states_.end()) return nullptr;
        Recent::remember(comm, found->second, generation);
        return found->second;
    }
    void enter(MPI_Comm comm, State* state) {
        const std::scoped_lock lock(mutex_);
        states_[comm] = state;
    }
    /// Removes a communicator that is about to be freed: MPI may reuse its handle for another.
    void remove(MPI_Comm comm) {
        Recent::forget_all();
        const std::scoped_lock lock(mutex_);
        states_.erase(comm);
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<MPI_Comm, State*> states_;
};

}  // namespace echelon
