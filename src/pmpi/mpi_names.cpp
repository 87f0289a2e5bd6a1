// SPDX-License-Identifier: Apache-2.0
// MPI's names in C. MPI's C++ bindings, mpi4py, and MPICH's Fortran bindings call them too.
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "mpi/quirks.hpp"
#include "pmpi/by_name.hpp"

#include <echelon/export.h>

#define ECHELON_MPI_NAME extern "C" ECHELON_API int

ECHELON_MPI_NAME MPI_Init(int* argc, char*** argv) { return echelon::front_init(argc, argv); }

ECHELON_MPI_NAME MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return echelon::front_init_thread(argc, argv, required, provided);
}

ECHELON_MPI_NAME MPI_Finalize() { return echelon::front_finalize(); }

ECHELON_MPI_NAME MPI_Abort(MPI_Comm comm, int code) { return echelon::front_abort(comm, code); }

// MPI_Allreduce(...) { return by_name::allreduce(...); } calls echelon_allreduce of api/collectives.cpp.
// Each row of mpi/counted_calls.hpp makes an equal function.
#define ECHELON_COLLECTIVE(Name, name, NAME, FORM) \
    ECHELON_MPI_NAME MPI_##Name(ECHELON_##FORM(int)) { return echelon::by_name::name(ECHELON_PASS_##FORM); }
ECHELON_COUNTED_CALLS(ECHELON_COLLECTIVE)

#define ECHELON_NONBLOCKING(Name, name, NAME, FORM)                           \
    ECHELON_MPI_NAME MPI_I##name(ECHELON_##FORM(int), MPI_Request* request) { \
        return echelon::by_name::i##name(ECHELON_PASS_##FORM, request);       \
    }
ECHELON_COUNTED_CALLS(ECHELON_NONBLOCKING)

ECHELON_MPI_NAME MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    return echelon::by_name::ibarrier(comm, request);
}

ECHELON_MPI_NAME MPI_Barrier(MPI_Comm comm) { return echelon::by_name::barrier(comm); }

// Two functions for each row of blocks: MPI_Reduce_scatter is the first.
#define ECHELON_BLOCK_COLLECTIVE(Name, name, NAME, FORM)                                                     \
    ECHELON_MPI_NAME MPI_##Name(ECHELON_##FORM(int)) { return echelon::by_name::name(ECHELON_PASS_##FORM); } \
    ECHELON_MPI_NAME MPI_I##name(ECHELON_##FORM(int), MPI_Request* request) {                                \
        return echelon::by_name::i##name(ECHELON_PASS_##FORM, request);                                      \
    }
ECHELON_BLOCK_CALLS(ECHELON_BLOCK_COLLECTIVE)

#ifdef ECHELON_HAS_PERSISTENT
#define ECHELON_PERSISTENT_NAME(Name, name, NAME, FORM)                                \
    ECHELON_MPI_NAME ECHELON_PERSISTENT(MPI, Name)(ECHELON_##FORM(int), MPI_Info info, \
                                                   MPI_Request * request) {            \
        return echelon::by_name::name##_init(ECHELON_PASS_##FORM, info, request);      \
    }
ECHELON_COUNTED_CALLS(ECHELON_PERSISTENT_NAME)
ECHELON_BLOCK_CALLS(ECHELON_PERSISTENT_NAME)

ECHELON_MPI_NAME ECHELON_PERSISTENT(MPI, Barrier)(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return echelon::by_name::barrier_init(comm, info, request);
}

ECHELON_MPI_NAME MPI_Start(MPI_Request* request) { return echelon::by_name::start(request); }

ECHELON_MPI_NAME MPI_Startall(int count, MPI_Request requests[]) {
    return echelon::by_name::start_all(count, requests);
}

ECHELON_MPI_NAME MPI_Request_free(MPI_Request* request) { return echelon::by_name::request_free(request); }
#endif

#if ECHELON_HAS_LARGE_COUNTS
#define ECHELON_LARGE_PERSISTENT(Name, name, NAME, FORM)                                                   \
    ECHELON_MPI_NAME MPI_##Name##_init_c(ECHELON_##FORM(MPI_Count), MPI_Info info, MPI_Request* request) { \
        return echelon::by_name::name##_init(ECHELON_PASS_##FORM, info, request);                          \
    }
ECHELON_COUNTED_CALLS(ECHELON_LARGE_PERSISTENT)

#define ECHELON_LARGE_BLOCK_PERSISTENT(Name, name, NAME, FORM)                                             \
    ECHELON_MPI_NAME MPI_##Name##_init_c(ECHELON_##FORM(MPI_Count), MPI_Info info, MPI_Request* request) { \
        return echelon::by_name::name##_init_c(ECHELON_PASS_##FORM, info, request);                        \
    }
ECHELON_BLOCK_CALLS(ECHELON_LARGE_BLOCK_PERSISTENT)

#define ECHELON_LARGE_COLLECTIVE(Name, name, NAME, FORM)         \
    ECHELON_MPI_NAME MPI_##Name##_c(ECHELON_##FORM(MPI_Count)) { \
        return echelon::by_name::name(ECHELON_PASS_##FORM);      \
    }
ECHELON_COUNTED_CALLS(ECHELON_LARGE_COLLECTIVE)

#define ECHELON_LARGE_NONBLOCKING(Name, name, NAME, FORM)                               \
    ECHELON_MPI_NAME MPI_I##name##_c(ECHELON_##FORM(MPI_Count), MPI_Request* request) { \
        return echelon::by_name::i##name(ECHELON_PASS_##FORM, request);                 \
    }
ECHELON_COUNTED_CALLS(ECHELON_LARGE_NONBLOCKING)

#define ECHELON_LARGE_BLOCK_COLLECTIVE(Name, name, NAME, FORM)                          \
    ECHELON_MPI_NAME MPI_##Name##_c(ECHELON_##FORM(MPI_Count)) {                        \
        return echelon::by_name::name##_c(ECHELON_PASS_##FORM);                         \
    }                                                                                   \
    ECHELON_MPI_NAME MPI_I##name##_c(ECHELON_##FORM(MPI_Count), MPI_Request* request) { \
        return echelon::by_name::i##name##_c(ECHELON_PASS_##FORM, request);             \
    }
ECHELON_BLOCK_CALLS(ECHELON_LARGE_BLOCK_COLLECTIVE)
#endif

ECHELON_MPI_NAME MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
    return echelon::guarded(comm, [&] { return echelon::front_set_info(comm, info); });
}

ECHELON_MPI_NAME MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) {
    return echelon::guarded(comm, [&] { return echelon::front_dup_with_info(comm, info, made); });
}

ECHELON_MPI_NAME MPI_Comm_free(MPI_Comm* comm) {
    return echelon::guarded(MPI_COMM_WORLD, [&] { return echelon::front_free(comm); });
}

ECHELON_MPI_NAME MPI_Comm_disconnect(MPI_Comm* comm) {
    return echelon::guarded(MPI_COMM_WORLD, [&] { return echelon::front_disconnect(comm); });
}
