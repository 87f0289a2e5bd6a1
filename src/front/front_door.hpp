// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/calls.hpp"

namespace echelon {

/// MPI_Init and MPI_Init_thread, with the work that must be done before threads run.
int front_init(int* argc, char*** argv);
int front_init_thread(int* argc, char*** argv, int required, int* provided);
/// MPI_Finalize, before which the thread of pending calls ends.
int front_finalize();
/// MPI_Abort, after the summary.
int front_abort(MPI_Comm comm, int code);

/// The collectives. They throw; the C functions of the API turn exceptions into MPI errors.
#define ECHELON_FRONT_CALL(Name, ...) int front_call(const calls::Name& call);
ECHELON_COUNTED_CALLS(ECHELON_FRONT_CALL)
#undef ECHELON_FRONT_CALL
#define ECHELON_FRONT_BLOCK_CALL(Name, ...)       \
    int front_call(const calls::Name<int>& call); \
    int front_call(const calls::Name<MPI_Count>& call);
ECHELON_BLOCK_CALLS(ECHELON_FRONT_BLOCK_CALL)
#undef ECHELON_FRONT_BLOCK_CALL
int front_call(const calls::Barrier& call);

/// The nonblocking collectives: the same calls with a request.
#define ECHELON_FRONT_START(Name, ...) int front_start(const calls::Name& call, MPI_Request* request);
ECHELON_COUNTED_CALLS(ECHELON_FRONT_START)
#undef ECHELON_FRONT_START
#define ECHELON_FRONT_BLOCK_START(Name, ...)                             \
    int front_start(const calls::Name<int>& call, MPI_Request* request); \
    int front_start(const calls::Name<MPI_Count>& call, MPI_Request* request);
ECHELON_BLOCK_CALLS(ECHELON_FRONT_BLOCK_START)
#undef ECHELON_FRONT_BLOCK_START
int front_start(const calls::Barrier& call, MPI_Request* request);

/// The persistent collectives: the same calls with an info and a request.
#define ECHELON_FRONT_PERSISTENT(Name, ...) \
    int front_persistent(const calls::Name& call, MPI_Info info, MPI_Request* request);
ECHELON_COUNTED_CALLS(ECHELON_FRONT_PERSISTENT)
#undef ECHELON_FRONT_PERSISTENT
#define ECHELON_FRONT_BLOCK_PERSISTENT(Name, ...)                                            \
    int front_persistent(const calls::Name<int>& call, MPI_Info info, MPI_Request* request); \
    int front_persistent(const calls::Name<MPI_Count>& call, MPI_Info info, MPI_Request* request);
ECHELON_BLOCK_CALLS(ECHELON_FRONT_BLOCK_PERSISTENT)
#undef ECHELON_FRONT_BLOCK_PERSISTENT
int front_persistent(const calls::Barrier& call, MPI_Info info, MPI_Request* request);

/// Counts a call by MPI's name that is native because names_stay_native(), and reports why. It throws. Local.
void front_note_absence(Collective collective, MPI_Comm comm);

/// MPI_Comm_set_info and MPI_Comm_dup_with_info, which also take Echelon's keys.
int front_set_info(MPI_Comm comm, MPI_Info info);
int front_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made);
/// Completes a communicator after a blocking call that made it and returned `code`. Returns the code.
/// Collective over the communicator.
int front_made(int code, const MPI_Comm* made);
/// Drops the state of a freed communicator with the same handle, after any other call that made a
/// communicator and returned `code`. Returns the code. Local.
int front_new_handle(int code, const MPI_Comm* made);

/// MPI_Comm_free and MPI_Comm_disconnect. Echelon leaves the communicator before the callbacks of the program
/// run.
int front_free(MPI_Comm* comm);
int front_disconnect(MPI_Comm* comm);

}  // namespace echelon
