// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <string>

namespace echelon {

/// Says of every call of ours that takes long, once and on each rank, what it is waiting for; the call goes
/// on.
///
/// It puts itself in front of the MPI calls that carry ours (`next`), notes what they are about, and a thread
/// that calls no MPI looks at these notes. Where it is not asked for there is nothing to note. Not in a
/// simulation, where no real time passes.
class Watchdog {
public:
    /// From now on, where a call takes more than so many seconds. `rank`: of this process, in its sentences.
    static void watch(int seconds, int rank);
    static bool watches() { return watches_; }

    /// A call of ours, for as long as it lives. Requires: watches().
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
