// SPDX-License-Identifier: Apache-2.0
// MPI's names in Fortran that bypass the names of C: all of Open MPI's, and the procedures that MPICH's
// mpi_f08 calls by PMPI names.
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "pmpi/by_name.hpp"
#include "pmpi/fortran.hpp"

namespace ours = echelon;
using namespace echelon::fortran;

namespace {

/// Makes a request by `start` and stores the library's handle.
template <class Start>
void started(MPI_Fint* request, MPI_Fint* ierror, const Start& start) {
    MPI_Request made = MPI_REQUEST_NULL;
    const int code = start(&made);
    leave(ierror, code);
    if (code == MPI_SUCCESS) *request = PMPI_Request_c2f(made);
}

}  // namespace

ECHELON_FORTRAN_NAME(mpi_init, MPI_INIT, MPI_Fint* ierror) {
    leave(ierror, ours::front_init(nullptr, nullptr));
}

ECHELON_FORTRAN_NAME(mpi_init_thread, MPI_INIT_THREAD, MPI_Fint* required, MPI_Fint* provided,
                     MPI_Fint* ierror) {
    leave(ierror, ours::front_init_thread(nullptr, nullptr, *required, provided));
}

ECHELON_FORTRAN_NAME(mpi_finalize, MPI_FINALIZE, MPI_Fint* ierror) { leave(ierror, ours::front_finalize()); }

ECHELON_FORTRAN_NAME(mpi_abort, MPI_ABORT, MPI_Fint* c, MPI_Fint* code, MPI_Fint* ierror) {
    leave(ierror, ours::front_abort(comm(c), *code));
}

#if ECHELON_FORTRAN_PASSES_C
// The Fortran parameters of each form, and their conversion to C.
#define FORTRAN_COMBINE void *in, void *out, MPI_Fint *count, MPI_Fint *t, MPI_Fint *o, MPI_Fint *c
#define FORTRAN_COMBINE_AT_ROOT \
    void *in, void *out, MPI_Fint *count, MPI_Fint *t, MPI_Fint *o, MPI_Fint *root, MPI_Fint *c
#define FORTRAN_MOVE void *data, MPI_Fint *count, MPI_Fint *t, MPI_Fint *root, MPI_Fint *c
#define FORTRAN_EXCHANGE                                                                                 \
    void *in, MPI_Fint *in_count, MPI_Fint *in_type, void *out, MPI_Fint *out_count, MPI_Fint *out_type, \
        MPI_Fint *c
#define FORTRAN_EXCHANGE_AT_ROOT                                                                         \
    void *in, MPI_Fint *in_count, MPI_Fint *in_type, void *out, MPI_Fint *out_count, MPI_Fint *out_type, \
        MPI_Fint *root, MPI_Fint *c
#define FORTRAN_COMBINE_TO_BLOCKS FORTRAN_COMBINE
#define FORTRAN_EXCHANGE_BLOCKS                                                                     \
    void *in, MPI_Fint *in_count, MPI_Fint *in_type, void *out, MPI_Fint *counts, MPI_Fint *places, \
        MPI_Fint *out_type, MPI_Fint *c
#define FORTRAN_BLOCKS_TO_ROOT                                                                      \
    void *in, MPI_Fint *in_count, MPI_Fint *in_type, void *out, MPI_Fint *counts, MPI_Fint *places, \
        MPI_Fint *out_type, MPI_Fint *root, MPI_Fint *c
#define FORTRAN_BLOCKS_FROM_ROOT                                                                     \
    void *in, MPI_Fint *counts, MPI_Fint *places, MPI_Fint *in_type, void *out, MPI_Fint *out_count, \
        MPI_Fint *out_type, MPI_Fint *root, MPI_Fint *c
#define FORTRAN_EXCHANGE_OWN_BLOCKS                                                                     \
    void *in, MPI_Fint *in_counts, MPI_Fint *in_places, MPI_Fint *in_type, void *out, MPI_Fint *counts, \
        MPI_Fint *places, MPI_Fint *out_type, MPI_Fint *c
#define AS_C_COMBINE buffer(in), buffer(out), *count, type(t), op(o), comm(c)
#define AS_C_COMBINE_AT_ROOT buffer(in), buffer(out), *count, type(t), op(o), *root, comm(c)
#define AS_C_MOVE buffer(data), *count, type(t), *root, comm(c)
#define AS_C_EXCHANGE buffer(in), *in_count, type(in_type), buffer(out), *out_count, type(out_type), comm(c)
#define AS_C_EXCHANGE_AT_ROOT \
    buffer(in), *in_count, type(in_type), buffer(out), *out_count, type(out_type), *root, comm(c)
#define AS_C_COMBINE_TO_BLOCKS buffer(in), buffer(out), count, type(t), op(o), comm(c)
#define AS_C_EXCHANGE_BLOCKS \
    buffer(in), *in_count, type(in_type), buffer(out), counts, places, type(out_type), comm(c)
#define AS_C_BLOCKS_TO_ROOT \
    buffer(in), *in_count, type(in_type), buffer(out), counts, places, type(out_type), *root, comm(c)
#define AS_C_BLOCKS_FROM_ROOT \
    buffer(in), counts, places, type(in_type), buffer(out), *out_count, type(out_type), *root, comm(c)
#define AS_C_EXCHANGE_OWN_BLOCKS \
    buffer(in), in_counts, in_places, type(in_type), buffer(out), counts, places, type(out_type), comm(c)

#define ECHELON_FORTRAN_COLLECTIVE(Name, name, NAME, FORM)                           \
    ECHELON_FORTRAN_NAME(mpi_##name, MPI_##NAME, FORTRAN_##FORM, MPI_Fint* ierror) { \
        leave(ierror, ours::by_name::name(AS_C_##FORM));                             \
    }
ECHELON_COUNTED_CALLS(ECHELON_FORTRAN_COLLECTIVE)

#define ECHELON_FORTRAN_NONBLOCKING(Name, name, NAME, FORM)                                               \
    ECHELON_FORTRAN_NAME(mpi_i##name, MPI_I##NAME, FORTRAN_##FORM, MPI_Fint* request, MPI_Fint* ierror) { \
        started(request, ierror,                                                                          \
                [&](MPI_Request* made) { return ours::by_name::i##name(AS_C_##FORM, made); });            \
    }
ECHELON_COUNTED_CALLS(ECHELON_FORTRAN_NONBLOCKING)

static_assert(sizeof(MPI_Fint) == sizeof(int));
ECHELON_BLOCK_CALLS(ECHELON_FORTRAN_COLLECTIVE)
ECHELON_BLOCK_CALLS(ECHELON_FORTRAN_NONBLOCKING)

#ifdef ECHELON_HAS_PERSISTENT
#ifdef ECHELON_PERSISTENT_IS_EXTENSION
#define FORTRAN_PERSISTENT(name, NAME, ...) \
    ECHELON_FORTRAN_NAME(mpix_##name##_init, MPIX_##NAME##_INIT, __VA_ARGS__)
#else
#define FORTRAN_PERSISTENT(name, NAME, ...) \
    ECHELON_FORTRAN_NAME(mpi_##name##_init, MPI_##NAME##_INIT, __VA_ARGS__)
#endif
#define ECHELON_FORTRAN_PERSISTENT(Name, name, NAME, FORM)                                                \
    FORTRAN_PERSISTENT(name, NAME, FORTRAN_##FORM, MPI_Fint* info, MPI_Fint* request, MPI_Fint* ierror) { \
        started(request, ierror, [&](MPI_Request* made) {                                                 \
            return ours::by_name::name##_init(AS_C_##FORM, PMPI_Info_f2c(*info), made);                   \
        });                                                                                               \
    }
ECHELON_COUNTED_CALLS(ECHELON_FORTRAN_PERSISTENT)
ECHELON_BLOCK_CALLS(ECHELON_FORTRAN_PERSISTENT)
#endif
#endif

ECHELON_FORTRAN_NAME(mpi_barrier, MPI_BARRIER, MPI_Fint* c, MPI_Fint* ierror) {
    leave(ierror, ours::by_name::barrier(comm(c)));
}

ECHELON_FORTRAN_NAME(mpi_ibarrier, MPI_IBARRIER, MPI_Fint* c, MPI_Fint* request, MPI_Fint* ierror) {
    started(request, ierror, [&](MPI_Request* made) { return ours::by_name::ibarrier(comm(c), made); });
}

#ifdef ECHELON_HAS_PERSISTENT
#ifdef ECHELON_PERSISTENT_IS_EXTENSION
ECHELON_FORTRAN_NAME(mpix_barrier_init, MPIX_BARRIER_INIT, MPI_Fint* c, MPI_Fint* info, MPI_Fint* request,
                     MPI_Fint* ierror) {
#else
ECHELON_FORTRAN_NAME(mpi_barrier_init, MPI_BARRIER_INIT, MPI_Fint* c, MPI_Fint* info, MPI_Fint* request,
                     MPI_Fint* ierror) {
#endif
    started(request, ierror, [&](MPI_Request* made) {
        return ours::by_name::barrier_init(comm(c), PMPI_Info_f2c(*info), made);
    });
}

ECHELON_FORTRAN_NAME(mpi_start, MPI_START, MPI_Fint* request, MPI_Fint* ierror) {
    MPI_Request handle = PMPI_Request_f2c(*request);
    leave(ierror, ours::by_name::start(&handle));
}

ECHELON_FORTRAN_NAME(mpi_startall, MPI_STARTALL, MPI_Fint* count, MPI_Fint* requests, MPI_Fint* ierror) {
    int code = MPI_SUCCESS;
    for (int i = 0; i < *count && code == MPI_SUCCESS; ++i) {
        MPI_Request handle = PMPI_Request_f2c(requests[i]);
        code = ours::by_name::start(&handle);
    }
    leave(ierror, code);
}

ECHELON_FORTRAN_NAME(mpi_request_free, MPI_REQUEST_FREE, MPI_Fint* request, MPI_Fint* ierror) {
    MPI_Request handle = PMPI_Request_f2c(*request);
    leave(ierror, ours::by_name::request_free(&handle));
    *request = PMPI_Request_c2f(handle);
}
#endif

ECHELON_FORTRAN_NAME(mpi_comm_set_info, MPI_COMM_SET_INFO, MPI_Fint* c, MPI_Fint* info, MPI_Fint* ierror) {
    leave(ierror,
          ours::guarded(comm(c), [&] { return ours::front_set_info(comm(c), PMPI_Info_f2c(*info)); }));
}

ECHELON_FORTRAN_NAME(mpi_comm_dup_with_info, MPI_COMM_DUP_WITH_INFO, MPI_Fint* c, MPI_Fint* info,
                     MPI_Fint* made, MPI_Fint* ierror) {
    MPI_Comm copy = MPI_COMM_NULL;
    leave(ierror, ours::guarded(comm(c), [&] {
              return ours::front_dup_with_info(comm(c), PMPI_Info_f2c(*info), &copy);
          }));
    if (copy != MPI_COMM_NULL) *made = PMPI_Comm_c2f(copy);
}

namespace {

/// Frees a communicator by `free` and stores the library's handle, null after success.
void free_by(int (*free)(MPI_Comm*), MPI_Fint* c, MPI_Fint* ierror) {
    MPI_Comm handle = comm(c);
    leave(ierror, ours::guarded(MPI_COMM_WORLD, [&] { return free(&handle); }));
    *c = PMPI_Comm_c2f(handle);
}

}  // namespace

ECHELON_FORTRAN_NAME(mpi_comm_free, MPI_COMM_FREE, MPI_Fint* c, MPI_Fint* ierror) {
    free_by(ours::front_free, c, ierror);
}

ECHELON_FORTRAN_NAME(mpi_comm_disconnect, MPI_COMM_DISCONNECT, MPI_Fint* c, MPI_Fint* ierror) {
    free_by(ours::front_disconnect, c, ierror);
}
