// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// The scope in which the program frees a communicator on this thread. Delete callbacks of the program may
/// call collectives on it, and free other communicators.
class FreeGuard {
public:
    explicit FreeGuard(MPI_Comm comm) : comm_(comm), outer_(innermost) { innermost = this; }
    ~FreeGuard() { innermost = outer_; }
    FreeGuard(const FreeGuard&) = delete;
    FreeGuard& operator=(const FreeGuard&) = delete;

    /// True if this thread is freeing `comm`.
    static bool is_under_way(MPI_Comm comm) {
        for (const FreeGuard* one = innermost; one != nullptr; one = one->outer_)
            if (one->comm_ == comm) return true;
        return false;
    }

private:
    MPI_Comm comm_;
    const FreeGuard* outer_;
    static thread_local const FreeGuard* innermost;
};

}  // namespace echelon
