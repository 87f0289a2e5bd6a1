// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <string>

namespace echelon {

/// Reports every call of Echelon that takes long, once and on each rank, with the communication that it waits
/// for; the call continues.
///
/// It wraps the MPI calls that carry ours (`next`) and notes their arguments; a thread that calls no MPI
/// reads the notes. A watchdog that is off costs no notes. It does nothing in a simulation, where no real
/// time passes.
class Watchdog {
public:
    /// Starts to report calls that take more than `seconds`. `rank`: of this process, for the messages.
    static void watch(int seconds, int rank);
    static bool watches() { return watches_; }

    /// Marks a call of Echelon as running while it lives. Requires: watches().
    class Call {
    public:
        /// `what`: "allreduce of 8 bytes by ring".
        explicit Call(std::string what);
        ~Call();
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
    };

private:
    static inline bool watches_ = false;
};

}  // namespace echelon
