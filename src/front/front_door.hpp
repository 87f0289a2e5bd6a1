// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/calls.hpp"

namespace echelon {

/// MPI_Init and MPI_Init_thread, and what has to be done before threads run.
int front_init(int* argc, char*** argv);
int front_init_thread(int* argc, char*** argv, int required, int* provided);
/// MPI_Abort, before which the summary is written.
int front_abort(MPI_Comm comm, int code);

/// The collectives. Throw; the C functions of the API turn that into MPI's errors.
#define ECHELON_FRONT_CALL(Name, ...) int front_call(const calls::Name& call);
ECHELON_COUNTED_CALLS(ECHELON_FRONT_CALL)
#undef ECHELON_FRONT_CALL
int front_call(const calls::Barrier& call);
int front_call(const calls::Reduce_scatter<int>& call);
int front_call(const calls::Reduce_scatter<MPI_Count>& call);

/// MPI_Comm_set_info and MPI_Comm_dup_with_info, which also hear Echelon's own keys.
int front_set_info(MPI_Comm comm, MPI_Info info);
int front_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made);
/// A blocking call that makes communicators has returned `code`: what Echelon settles there. Returns the
/// code.
int front_made(int code, const MPI_Comm* made);
/// Any other call that makes communicators has returned `code`: nothing that was known of another with this
/// handle is kept. Local. Returns the code.
int front_came(int code, const MPI_Comm* made);

/// MPI_Comm_free and MPI_Comm_disconnect: Echelon leaves the communicator before the program's callbacks run.
int front_free(MPI_Comm* comm);
int front_disconnect(MPI_Comm* comm);

}  // namespace echelon
