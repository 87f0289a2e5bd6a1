// SPDX-License-Identifier: Apache-2.0
#include "cache/state.hpp"
#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "front/native_call.hpp"

#include <echelon/echelon.h>

namespace echelon {
namespace {

/// The fast path: all calls of this collective stay native, or the previous call was equal and native.
/// For most calls it is Echelon's whole cost.
template <class Call>
bool stays_native(const Call& call) {
    State* const state = Recent::find(call.comm);
    return state != nullptr && (state->plans().always_native(call.collective) ||
                                state->plans().repeats_native(call.passed(state->rank(), state->size())));
}

/// All other calls: front_call in src/front chooses a recipe and runs it. A separate function with single
/// arguments keeps the fast path in registers.
template <class Call, class... Arguments>
[[gnu::noinline]] int by_front_door(Arguments... arguments) {
    const Call call{arguments...};
    return guarded(call.comm, [&call] { return front_call(call); });
}

template <class Call, class... Arguments>
int serve(Arguments... arguments) {
    const Call call{arguments...};
    return stays_native(call) ? native_call(call) : by_front_door<Call>(arguments...);
}

template <class Call, class... Arguments>
int start(MPI_Request* request, Arguments... arguments) {
    const Call call{arguments...};
    const State* const state = Recent::find(call.comm);
    if (state != nullptr && state->plans().always_native(call.collective)) return native_start(call, request);
    return guarded(call.comm, [&] { return front_start(call, request); });
}

template <class Call, class... Arguments>
int make_persistent(MPI_Info info, MPI_Request* request, Arguments... arguments) {
    const Call call{arguments...};
    return guarded(call.comm, [&] { return front_persistent(call, info, request); });
}

}  // namespace
}  // namespace echelon

// A function for each row of mpi/counted_calls.hpp: echelon_allreduce is the first.
#define ECHELON_SERVED(Name, name, NAME, FORM)                            \
    int echelon_##name(ECHELON_##FORM(MPI_Count)) {                       \
        return echelon::serve<echelon::calls::Name>(ECHELON_PASS_##FORM); \
    }
ECHELON_COUNTED_CALLS(ECHELON_SERVED)

int echelon_barrier(MPI_Comm comm) { return echelon::serve<echelon::calls::Barrier>(comm); }

#define ECHELON_STARTED(Name, name, NAME, FORM)                                    \
    int echelon_i##name(ECHELON_##FORM(MPI_Count), MPI_Request* request) {         \
        return echelon::start<echelon::calls::Name>(request, ECHELON_PASS_##FORM); \
    }
ECHELON_COUNTED_CALLS(ECHELON_STARTED)

int echelon_ibarrier(MPI_Comm comm, MPI_Request* request) {
    return echelon::start<echelon::calls::Barrier>(request, comm);
}

#define ECHELON_PERSISTENT_FORM(Name, name, NAME, FORM)                                            \
    int echelon_##name##_init(ECHELON_##FORM(MPI_Count), MPI_Info info, MPI_Request* request) {    \
        return echelon::make_persistent<echelon::calls::Name>(info, request, ECHELON_PASS_##FORM); \
    }
ECHELON_COUNTED_CALLS(ECHELON_PERSISTENT_FORM)

int echelon_barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return echelon::make_persistent<echelon::calls::Barrier>(info, request, comm);
}

// Six functions for each row of blocks: echelon_reduce_scatter is the first.
#define ECHELON_BLOCKS_SERVED(Name, name, NAME, FORM)                                                   \
    int echelon_##name(ECHELON_##FORM(int)) {                                                           \
        return echelon::serve<echelon::calls::Name<int>>(ECHELON_PASS_##FORM);                          \
    }                                                                                                   \
    int echelon_##name##_c(ECHELON_##FORM(MPI_Count)) {                                                 \
        return echelon::serve<echelon::calls::Name<MPI_Count>>(ECHELON_PASS_##FORM);                    \
    }                                                                                                   \
    int echelon_i##name(ECHELON_##FORM(int), MPI_Request* request) {                                    \
        return echelon::start<echelon::calls::Name<int>>(request, ECHELON_PASS_##FORM);                 \
    }                                                                                                   \
    int echelon_i##name##_c(ECHELON_##FORM(MPI_Count), MPI_Request* request) {                          \
        return echelon::start<echelon::calls::Name<MPI_Count>>(request, ECHELON_PASS_##FORM);           \
    }                                                                                                   \
    int echelon_##name##_init(ECHELON_##FORM(int), MPI_Info info, MPI_Request* request) {               \
        return echelon::make_persistent<echelon::calls::Name<int>>(info, request, ECHELON_PASS_##FORM); \
    }                                                                                                   \
    int echelon_##name##_init_c(ECHELON_##FORM(MPI_Count), MPI_Info info, MPI_Request* request) {       \
        return echelon::make_persistent<echelon::calls::Name<MPI_Count>>(info, request,                 \
                                                                         ECHELON_PASS_##FORM);          \
    }
ECHELON_BLOCK_CALLS(ECHELON_BLOCKS_SERVED)
