// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan.hpp"

#include <atomic>
#include <functional>
#include <memory>

namespace echelon {

/// The persistent collectives of this process that Echelon serves, by their requests. Several threads may
/// call it, if a thread advances the calls (PendingCalls).
class PersistentCalls {
public:
    using Begin = std::function<void(const Plan&, Memory&)>;

    /// Makes the request of a call. `begin` sets the data before each run. The plan is copied, because the
    /// program may free the communicator before the request. Requires: a turn.
    static MPI_Request add(std::shared_ptr<PendingCall> call, const Plan& plan, Begin begin);
    /// True if there are some: MPI's functions of requests must ask for them.
    static bool any() { return any_.load(std::memory_order_relaxed); }
    /// MPI_Start and MPI_Request_free of any request. Requires: the pointer is not null.
    static int start(MPI_Request* request);
    static int free(MPI_Request* request);

private:
    static constinit inline std::atomic<bool> any_ = false;
};

}  // namespace echelon
