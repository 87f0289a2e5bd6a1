// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/counted_calls.hpp"
#include "mpi/quirks.hpp"

#include <mpi.h>

/// MPI calls that Echelon forwards or uses to serve a call, without the counted collectives.
#define ECHELON_CARRYING_CALLS(CALL) \
    CALL(Init)                       \
    CALL(Init_thread)                \
    CALL(Finalize)                   \
    CALL(Abort)                      \
    CALL(Send)                       \
    CALL(Isend)                      \
    CALL(Issend)                     \
    CALL(Irecv)                      \
    CALL(Recv_init)                  \
    CALL(Start)                      \
    CALL(Startall)                   \
    CALL(Request_free)               \
    CALL(Request_get_status)         \
    CALL(Wait)                       \
    CALL(Waitany)                    \
    CALL(Testsome)                   \
    CALL(Barrier)                    \
    CALL(Ibarrier)                   \
    CALL(Comm_set_info)              \
    CALL(Comm_dup_with_info)         \
    CALL(Comm_free)                  \
    CALL(Comm_disconnect)
/// Blocking calls that make a communicator, returned in the last argument.
#define ECHELON_MAKING_CALLS_EVERYWHERE(CALL) \
    CALL(Comm_dup)                            \
    CALL(Comm_split)                          \
    CALL(Comm_create)                         \
    CALL(Comm_create_group)                   \
    CALL(Comm_split_type)                     \
    CALL(Cart_create)                         \
    CALL(Cart_sub)
#if ECHELON_HAS_ALL_OF_MPI_3
#define ECHELON_MAKING_CALLS(CALL)        \
    ECHELON_MAKING_CALLS_EVERYWHERE(CALL) \
    CALL(Graph_create)                    \
    CALL(Dist_graph_create)               \
    CALL(Dist_graph_create_adjacent)      \
    CALL(Intercomm_merge)
/// Calls that make a communicator for which Echelon prepares nothing: it is incomplete, or connects two
/// worlds.
#define ECHELON_OTHER_MAKING_CALLS(CALL) \
    CALL(Comm_idup)                      \
    CALL(Intercomm_create)               \
    CALL(Comm_spawn)                     \
    CALL(Comm_spawn_multiple)            \
    CALL(Comm_accept)                    \
    CALL(Comm_connect)                   \
    CALL(Comm_join)
#else
#define ECHELON_MAKING_CALLS ECHELON_MAKING_CALLS_EVERYWHERE
#define ECHELON_OTHER_MAKING_CALLS(CALL)
#endif
#if ECHELON_HAS_LARGE_COUNTS
#define ECHELON_LATE_MAKING_CALLS(CALL) \
    CALL(Comm_idup_with_info)           \
    CALL(Comm_create_from_group)        \
    CALL(Intercomm_create_from_groups)
/// The collectives with counts beyond an int, for CALL(Name, ...).
#define ECHELON_LARGE_COUNTED_CALLS(CALL) ECHELON_COUNTED_CALLS(CALL) ECHELON_BLOCK_CALLS(CALL)
#else
#define ECHELON_LATE_MAKING_CALLS(CALL)
#define ECHELON_LARGE_COUNTED_CALLS(CALL)
#endif
/// The persistent collectives, for CALL(Name, ...).
#ifdef ECHELON_HAS_PERSISTENT
#define ECHELON_PERSISTENT_CALLS(CALL) ECHELON_COUNTED_CALLS(CALL) ECHELON_BLOCK_CALLS(CALL) CALL(Barrier, )
#else
#define ECHELON_PERSISTENT_CALLS(CALL)
#endif
#ifdef ECHELON_PERSISTENT_IS_EXTENSION
#define ECHELON_DECLARE(Name, ...) decltype(MPIX_##Name##_init) PMPIX_##Name##_init;
extern "C" {
ECHELON_PERSISTENT_CALLS(ECHELON_DECLARE)
}
#undef ECHELON_DECLARE
#endif

namespace echelon {

/// The targets of these calls: PMPI_*, which never come back to Echelon. The drop-in library replaces them,
/// when it is loaded, by the functions of the library behind it: a profiling tool behind Echelon sees
/// Echelon's calls.
struct Next {
#define ECHELON_MEMBER(call) decltype(&PMPI_##call) call = &PMPI_##call;
    ECHELON_CARRYING_CALLS(ECHELON_MEMBER)
    ECHELON_MAKING_CALLS(ECHELON_MEMBER)
    ECHELON_OTHER_MAKING_CALLS(ECHELON_MEMBER)
    ECHELON_LATE_MAKING_CALLS(ECHELON_MEMBER)
#define ECHELON_COUNTED_MEMBER(Name, name, ...) \
    ECHELON_MEMBER(Name)                        \
    ECHELON_MEMBER(I##name)
#define ECHELON_LARGE_MEMBER(Name, name, ...) \
    ECHELON_MEMBER(Name##_c)                  \
    ECHELON_MEMBER(I##name##_c)               \
    ECHELON_MEMBER(Name##_init_c)
#define ECHELON_PERSISTENT_MEMBER(Name, ...) \
    decltype(&ECHELON_PERSISTENT(PMPI, Name)) Name##_init = &ECHELON_PERSISTENT(PMPI, Name);
    ECHELON_COUNTED_CALLS(ECHELON_COUNTED_MEMBER)
    ECHELON_BLOCK_CALLS(ECHELON_COUNTED_MEMBER)
    ECHELON_LARGE_COUNTED_CALLS(ECHELON_LARGE_MEMBER)
    ECHELON_PERSISTENT_CALLS(ECHELON_PERSISTENT_MEMBER)
    /// True in the drop-in library.
    bool in_front = false;
    /// True if the program's MPI_Start comes to the drop-in library first, and not to a tool in front of it.
    bool sees_starts = false;
#undef ECHELON_PERSISTENT_MEMBER
#undef ECHELON_LARGE_MEMBER
#undef ECHELON_COUNTED_MEMBER
#undef ECHELON_MEMBER
};
extern Next next;

}  // namespace echelon
