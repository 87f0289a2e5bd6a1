// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/quirks.hpp"

namespace echelon {

/// A part in the MPI library's progress: whenever the library waits or tests, in any call of the program, it
/// also calls a function of Echelon. MPI has no means for this. Open MPI has opal_progress_register; the
/// drop-in library for MPICH over UCX takes the name ucp_worker_progress, by which MPICH polls the network.
class Progress {
public:
    using Advance = void (*)();
    /// Takes part from now on; false: the library does not allow it. `advance` may call MPI, which may call
    /// `advance` again. Requires: MPI runs, and one thread at a time calls it.
    static bool join(Advance advance);
    /// Ends the part.
    static void leave();

    /// Says that there is something to advance, or nothing: then a poll costs a few instructions.
    /// No effect without a part.
    static void expect(bool something) {
        if (advance_ != nullptr) is_expected_ = something;
    }
    /// The library makes progress. For the functions that it calls.
    static void polled() {
        seen_ = true;
        if (is_expected_) [[unlikely]]
            advance_();
    }

private:
    static constinit inline Advance advance_ = nullptr;
    static constinit inline bool seen_ = false, is_expected_ = false;
};

}  // namespace echelon
