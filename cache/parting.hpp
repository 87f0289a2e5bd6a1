// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace echelon {

/// The program frees a communicator, by a call that Echelon sees. Delete callbacks of the program may still
/// call collectives on it, free others, and refuse; in which order the library runs them, and whether it
/// hears of each refusal, depends on all attributes there are. So ours leave before: all ranks go native from
/// the same call on, and the library finds what it would find without Echelon.
class Parting {
public:
    /// Frees by `free`, and returns what that returns. A communicator that could not be freed lives on with
    /// all that was known of it.
    static int by(int (*free)(MPI_Comm*), MPI_Comm* comm);
    /// This thread is freeing `comm`.
    static bool is_under_way(MPI_Comm comm);

private:
    explicit Parting(MPI_Comm comm);
    ~Parting();

    MPI_Comm comm_;
    const Parting* outer_;  // callbacks may free other communicators
};

}  // namespace echelon
