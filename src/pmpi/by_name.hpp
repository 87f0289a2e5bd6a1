// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "front/native_call.hpp"
#include "front/persistent_calls.hpp"
#include "mpi/presence.hpp"

#include <echelon/echelon.h>
#include <type_traits>

namespace echelon::by_name {

// The collectives by MPI's own names: served like by the API, unless some rank has no such names in front.

template <class Call, class... Arguments>
[[gnu::noinline]] int unless_absent(int (*serve)(Arguments...), Arguments... arguments) {
    if (!names_stay_native()) return serve(arguments...);
    const Call call{arguments...};
    return guarded(call.comm, [&call] {
        front_note_absence(call.collective, call.comm);
        return native_call(call);
    });
}

template <class Call, class... Arguments>
int served(int (*serve)(Arguments...), std::type_identity_t<Arguments>... arguments) {
    return is_seen() ? serve(arguments...) : unless_absent<Call>(serve, arguments...);
}

#define ECHELON_BY_NAME(Name, name, NAME, FORM)                          \
    inline int name(ECHELON_##FORM(MPI_Count)) {                         \
        return served<calls::Name>(echelon_##name, ECHELON_PASS_##FORM); \
    }
ECHELON_COUNTED_CALLS(ECHELON_BY_NAME)
#undef ECHELON_BY_NAME

inline int barrier(MPI_Comm comm) { return served<calls::Barrier>(echelon_barrier, comm); }

#define ECHELON_BLOCKS_BY_NAME(Name, name, NAME, FORM)                                  \
    inline int name(ECHELON_##FORM(int)) {                                              \
        return served<calls::Name<int>>(echelon_##name, ECHELON_PASS_##FORM);           \
    }                                                                                   \
    inline int name##_c(ECHELON_##FORM(MPI_Count)) {                                    \
        return served<calls::Name<MPI_Count>>(echelon_##name##_c, ECHELON_PASS_##FORM); \
    }
ECHELON_BLOCK_CALLS(ECHELON_BLOCKS_BY_NAME)
#undef ECHELON_BLOCKS_BY_NAME

// The nonblocking collectives.

template <class Call, class Start, class... Arguments>
int started(const Start& start, MPI_Request* request, Arguments... arguments) {
    if (is_seen() || !names_stay_native()) return start(arguments..., request);
    return native_start(Call{arguments...}, request);
}

#define ECHELON_START_BY_NAME(Name, name, NAME, FORM)                               \
    inline int i##name(ECHELON_##FORM(MPI_Count), MPI_Request* request) {           \
        return started<calls::Name>(echelon_i##name, request, ECHELON_PASS_##FORM); \
    }
ECHELON_COUNTED_CALLS(ECHELON_START_BY_NAME)
#undef ECHELON_START_BY_NAME

inline int ibarrier(MPI_Comm comm, MPI_Request* request) {
    return started<calls::Barrier>(echelon_ibarrier, request, comm);
}

#define ECHELON_START_BLOCKS_BY_NAME(Name, name, NAME, FORM)                                       \
    inline int i##name(ECHELON_##FORM(int), MPI_Request* request) {                                \
        return started<calls::Name<int>>(echelon_i##name, request, ECHELON_PASS_##FORM);           \
    }                                                                                              \
    inline int i##name##_c(ECHELON_##FORM(MPI_Count), MPI_Request* request) {                      \
        return started<calls::Name<MPI_Count>>(echelon_i##name##_c, request, ECHELON_PASS_##FORM); \
    }
ECHELON_BLOCK_CALLS(ECHELON_START_BLOCKS_BY_NAME)
#undef ECHELON_START_BLOCKS_BY_NAME

// The persistent collectives.

template <class Call, class Make, class... Arguments>
int persistent(const Make& make, MPI_Info info, MPI_Request* request, Arguments... arguments) {
    if (is_seen() || !names_stay_native()) return make(arguments..., info, request);
    return native_persistent(Call{arguments...}, info, request);
}

#define ECHELON_PERSISTENT_BY_NAME(Name, name, NAME, FORM)                                         \
    inline int name##_init(ECHELON_##FORM(MPI_Count), MPI_Info info, MPI_Request* request) {       \
        return persistent<calls::Name>(echelon_##name##_init, info, request, ECHELON_PASS_##FORM); \
    }
ECHELON_COUNTED_CALLS(ECHELON_PERSISTENT_BY_NAME)
#undef ECHELON_PERSISTENT_BY_NAME

inline int barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return persistent<calls::Barrier>(echelon_barrier_init, info, request, comm);
}

#define ECHELON_PERSISTENT_BLOCKS_BY_NAME(Name, name, NAME, FORM)                                       \
    inline int name##_init(ECHELON_##FORM(int), MPI_Info info, MPI_Request* request) {                  \
        return persistent<calls::Name<int>>(echelon_##name##_init, info, request, ECHELON_PASS_##FORM); \
    }                                                                                                   \
    inline int name##_init_c(ECHELON_##FORM(MPI_Count), MPI_Info info, MPI_Request* request) {          \
        return persistent<calls::Name<MPI_Count>>(echelon_##name##_init_c, info, request,               \
                                                  ECHELON_PASS_##FORM);                                 \
    }
ECHELON_BLOCK_CALLS(ECHELON_PERSISTENT_BLOCKS_BY_NAME)
#undef ECHELON_PERSISTENT_BLOCKS_BY_NAME

// MPI_Start, MPI_Startall and MPI_Request_free, of any request.

inline int start(MPI_Request* request) {
    if (!PersistentCalls::any() || request == nullptr) [[likely]]
        return next.Start(request);
    return guarded(MPI_COMM_WORLD, [&] { return PersistentCalls::start(request); });
}

inline int start_all(int count, MPI_Request* requests) {
    if (!PersistentCalls::any()) [[likely]]
        return next.Startall(count, requests);
    int code = MPI_SUCCESS;
    for (int i = 0; i < count && code == MPI_SUCCESS; ++i) code = start(&requests[i]);
    return code;
}

inline int request_free(MPI_Request* request) {
    const bool asks = PersistentCalls::any() && request != nullptr;
    return asks ? PersistentCalls::free(request) : next.Request_free(request);
}

}  // namespace echelon::by_name
