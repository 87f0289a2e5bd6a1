// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "front/errors.hpp"
#include "front/front_door.hpp"
#include "front/native_call.hpp"
#include "mpi/presence.hpp"

#include <echelon/echelon.h>

namespace echelon::by_name {

// The collectives by MPI's own names: served like by the API, unless some rank has no such names in front.

template <class Call>
[[gnu::noinline]] int stays_native(const Call& call) {
    return guarded(call.comm, [&call] {
        front_note_absence(call.collective, call.comm);
        return native_call(call);
    });
}

#define ECHELON_BY_NAME(Name, name, NAME, FORM)                    \
    inline int name(ECHELON_##FORM(MPI_Count)) {                   \
        if (names_stay_native()) [[unlikely]]                      \
            return stays_native(calls::Name{ECHELON_PASS_##FORM}); \
        return echelon_##name(ECHELON_PASS_##FORM);                \
    }
ECHELON_COUNTED_CALLS(ECHELON_BY_NAME)
#undef ECHELON_BY_NAME

inline int barrier(MPI_Comm comm) {
    return names_stay_native() ? stays_native(calls::Barrier{comm}) : echelon_barrier(comm);
}

inline int reduce_scatter(const void* in, void* out, const int* counts, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm) {
    return names_stay_native() ? stays_native(calls::Reduce_scatter<int>{in, out, counts, type, op, comm})
                               : echelon_reduce_scatter(in, out, counts, type, op, comm);
}

inline int reduce_scatter_c(const void* in, void* out, const MPI_Count* counts, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm) {
    return names_stay_native()
               ? stays_native(calls::Reduce_scatter<MPI_Count>{in, out, counts, type, op, comm})
               : echelon_reduce_scatter_c(in, out, counts, type, op, comm);
}

}  // namespace echelon::by_name
