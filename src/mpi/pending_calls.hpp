// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/pending_call.hpp"

#include <memory>

namespace echelon {

/// The nonblocking and persistent collectives of this process that are under way. They advance whenever the
/// MPI library makes progress. One thread at a time.
class PendingCalls {
public:
    /// Takes part in the library's progress; false: nonblocking calls stay native.
    static bool join();
    static void leave();

    /// Runs a call, at once as far as possible. Returns its request.
    static MPI_Request add(std::unique_ptr<PendingCall> call);
    /// Runs a persistent call that is not under way. Its tags are its own: it waits for no other call.
    static void add_persistent(std::shared_ptr<PendingCall> call);
    /// Advances them, for callers that wait without MPI. True: some are under way.
    static bool advance();
    /// Waits until all nonblocking calls on the route have ended. Requires: all its ranks have started them.
    static void finish(const Route& route);
};

}  // namespace echelon
