// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/calls.hpp"
#include "mpi/check.hpp"
#include "mpi/next.hpp"
#include "mpi/quirks.hpp"

namespace echelon {

// native_call(call) runs the MPI library's collective with the user's arguments, untouched, if Echelon has no
// part in it. Counts beyond int use the library's large-count functions, or give MPI_ERR_COUNT without them.
// native_call(call, Next()) bypasses tools behind Echelon.

#if ECHELON_HAS_LARGE_COUNTS
#define ECHELON_LARGE(name) call.template pass<MPI_Count>(by.name##_c)
#else
#define ECHELON_LARGE(name) MPI_ERR_COUNT
#endif

#define ECHELON_NATIVE_CALL(Name, ...)                                       \
    inline int native_call(const calls::Name& call, const Next& by = next) { \
        if (!call.is_short()) [[unlikely]]                                   \
            return ECHELON_LARGE(Name);                                      \
        return call.template pass<int>(by.Name);                             \
    }
ECHELON_COUNTED_CALLS(ECHELON_NATIVE_CALL)
#undef ECHELON_NATIVE_CALL

#define ECHELON_NATIVE_BLOCK_CALL(Name, ...)                                             \
    template <class Counts>                                                              \
    int native_call(const calls::Name<Counts>& call, const Next& by = next) {            \
        return call.is_short() ? call.template pass<int>(by.Name) : ECHELON_LARGE(Name); \
    }
ECHELON_BLOCK_CALLS(ECHELON_NATIVE_BLOCK_CALL)
#undef ECHELON_NATIVE_BLOCK_CALL

inline int native_call(const calls::Barrier& call, const Next& by = next) { return by.Barrier(call.comm); }

#undef ECHELON_LARGE

// native_start(call, request) is the library's nonblocking collective.

#if ECHELON_HAS_LARGE_COUNTS
#define ECHELON_LARGE(name) call.template pass<MPI_Count>(by(next.name##_c))
#else
#define ECHELON_LARGE(name) MPI_ERR_COUNT
#endif

/// `function` with these arguments as its last ones.
template <class Function, class... Last>
auto starting(Function function, Last... last) {
    return [=](auto... arguments) { return function(arguments..., last...); };
}

#define ECHELON_NATIVE_START(Name, name, ...)                                                        \
    inline int native_start(const calls::Name& call, MPI_Request* request) {                         \
        const auto by = [=](auto function) { return starting(function, request); };                  \
        return call.is_short() ? call.template pass<int>(by(next.I##name)) : ECHELON_LARGE(I##name); \
    }
ECHELON_COUNTED_CALLS(ECHELON_NATIVE_START)
#undef ECHELON_NATIVE_START

#define ECHELON_NATIVE_BLOCK_START(Name, name, ...)                                                  \
    template <class Counts>                                                                          \
    int native_start(const calls::Name<Counts>& call, MPI_Request* request) {                        \
        const auto by = [=](auto function) { return starting(function, request); };                  \
        return call.is_short() ? call.template pass<int>(by(next.I##name)) : ECHELON_LARGE(I##name); \
    }
ECHELON_BLOCK_CALLS(ECHELON_NATIVE_BLOCK_START)
#undef ECHELON_NATIVE_BLOCK_START

inline int native_start(const calls::Barrier& call, MPI_Request* request) {
    return next.Ibarrier(call.comm, request);
}

// native_persistent(call, info, request) is the library's persistent collective.

#ifdef ECHELON_HAS_PERSISTENT
#define ECHELON_NATIVE_PERSISTENT(Name, ...)                                                                 \
    inline int native_persistent(const calls::Name& call, MPI_Info info, MPI_Request* request) {             \
        const auto by = [=](auto function) { return starting(function, info, request); };                    \
        return call.is_short() ? call.template pass<int>(by(next.Name##_init)) : ECHELON_LARGE(Name##_init); \
    }
ECHELON_COUNTED_CALLS(ECHELON_NATIVE_PERSISTENT)
#undef ECHELON_NATIVE_PERSISTENT

#define ECHELON_NATIVE_BLOCK_PERSISTENT(Name, ...)                                                           \
    template <class Counts>                                                                                  \
    int native_persistent(const calls::Name<Counts>& call, MPI_Info info, MPI_Request* request) {            \
        const auto by = [=](auto function) { return starting(function, info, request); };                    \
        return call.is_short() ? call.template pass<int>(by(next.Name##_init)) : ECHELON_LARGE(Name##_init); \
    }
ECHELON_BLOCK_CALLS(ECHELON_NATIVE_BLOCK_PERSISTENT)
#undef ECHELON_NATIVE_BLOCK_PERSISTENT

inline int native_persistent(const calls::Barrier& call, MPI_Info info, MPI_Request* request) {
    return next.Barrier_init(call.comm, info, request);
}
#else
template <class Call>
int native_persistent(const Call& /*call*/, MPI_Info /*info*/, MPI_Request* /*request*/) {
    throw FoundError(MPI_ERR_UNSUPPORTED_OPERATION, "this MPI library has no persistent collectives");
}
#endif

#undef ECHELON_LARGE

}  // namespace echelon
