// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/pending_call.hpp"

#include <memory>

namespace echelon {

/// The calls of this process that are under way. The MPI library advances them (Progress). One thread at
/// a time.
class PendingCalls {
public:
    /// Takes part in the library's progress; false: nonblocking calls stay native.
    static bool join();
    static void leave();

    /// Runs `call`, at once as far as possible. A call whose messages could be confused with an
    /// earlier one's begins after that one's end: each rank waits for its own calls alone.
    static void add(std::unique_ptr<PendingCall> call);
    /// Waits until all calls on the route of `comm` and `first_tag` have ended.
    static void finish(MPI_Comm comm, int first_tag);
};

}  // namespace echelon
