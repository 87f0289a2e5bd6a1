// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// Frees a communicator for the program. Delete callbacks of the program may call collectives on it, free
/// other communicators, and refuse. All attributes together determine the order in which the library runs the
/// callbacks and whether it sees each refusal. Echelon therefore removes its attributes first: all ranks go
/// native from the same call on, and the library works like without Echelon.
class FreeGuard {
public:
    /// Calls `free` and returns its result. A communicator that could not be freed keeps its state and info
    /// keys.
    static int by(int (*free)(MPI_Comm*), MPI_Comm* comm);
    /// True if this thread is freeing `comm`.
    static bool is_under_way(MPI_Comm comm);

private:
    explicit FreeGuard(MPI_Comm comm);
    ~FreeGuard();

    MPI_Comm comm_;
    const FreeGuard* outer_;  // callbacks may free other communicators
};

}  // namespace echelon
