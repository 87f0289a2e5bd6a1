// SPDX-License-Identifier: Apache-2.0
#include "fuzz/call.hpp"

#include <dlfcn.h>
#include <echelon/echelon.h>
#include <type_traits>

namespace fuzz {
namespace {

// Echelon's functions by name, because one program runs with and without the library.
#define FOUND(function) reinterpret_cast<decltype(&::function)>(dlsym(RTLD_DEFAULT, #function))
#define FUNCTION(function)                          \
    ([] {                                           \
        static auto* const found = FOUND(function); \
        return found;                               \
    }())

// clang-format off
// All calls by four families of names.
#define COMMON_CALLS(NAME)                                                                                                   \
    case Call::allreduce:                                                                                                    \
        return NAME(Allreduce, allreduce)(a.send, a.receive, a.receive_count, a.receive_type, a.op, comm);                   \
    case Call::reduce:                                                                                                       \
        return NAME(Reduce, reduce)(a.send, a.receive, a.receive_count, a.receive_type, a.op, a.root, comm);                 \
    case Call::bcast:                                                                                                        \
        return NAME(Bcast, bcast)(a.receive, a.receive_count, a.receive_type, a.root, comm);                                 \
    case Call::gather:                                                                                                       \
        return NAME(Gather, gather)(a.send, a.send_count, a.send_type, a.receive, a.receive_count, a.receive_type, a.root, comm); \
    case Call::scatter:                                                                                                      \
        return NAME(Scatter, scatter)(a.send, a.send_count, a.send_type, a.receive, a.receive_count, a.receive_type, a.root, comm); \
    case Call::allgather:                                                                                                    \
        return NAME(Allgather, allgather)(a.send, a.send_count, a.send_type, a.receive, a.receive_count, a.receive_type, comm); \
    case Call::alltoall:                                                                                                     \
        return NAME(Alltoall, alltoall)(a.send, a.send_count, a.send_type, a.receive, a.receive_count, a.receive_type, comm); \
    case Call::reduce_scatter_block:                                                                                         \
        return NAME(Reduce_scatter_block, reduce_scatter_block)(a.send, a.receive, a.receive_count, a.receive_type, a.op, comm); \
    case Call::scan:                                                                                                         \
        return NAME(Scan, scan)(a.send, a.receive, a.receive_count, a.receive_type, a.op, comm);                             \
    case Call::exscan:                                                                                                       \
        return NAME(Exscan, exscan)(a.send, a.receive, a.receive_count, a.receive_type, a.op, comm);

#define BARRIER_CALL(NAME)                                                                                                   \
    case Call::barrier:                                                                                                      \
        return NAME(Barrier, barrier)(comm);

#define SCATTER_CALL(NAME)                                                                                                   \
    case Call::reduce_scatter:                                                                                               \
        return NAME(Reduce_scatter, reduce_scatter)(a.send, a.receive, a.receive_counts.data(), a.receive_type, a.op, comm);

#define BLOCK_CALLS(NAME)                                                                                                    \
    SCATTER_CALL(NAME)                                                                                                       \
    case Call::gatherv:                                                                                                      \
        return NAME(Gatherv, gatherv)(a.send, a.send_count, a.send_type, a.receive, a.receive_counts.data(),                 \
                                      a.receive_places.data(), a.receive_type, a.root, comm);                                \
    case Call::scatterv:                                                                                                     \
        return NAME(Scatterv, scatterv)(a.send, a.send_counts.data(), a.send_places.data(), a.send_type, a.receive,          \
                                        a.receive_count, a.receive_type, a.root, comm);                                      \
    case Call::allgatherv:                                                                                                   \
        return NAME(Allgatherv, allgatherv)(a.send, a.send_count, a.send_type, a.receive, a.receive_counts.data(),           \
                                            a.receive_places.data(), a.receive_type, comm);                              \
    case Call::alltoallv:                                                                                                    \
        return NAME(Alltoallv, alltoallv)(a.send, a.send_counts.data(), a.send_places.data(), a.send_type, a.receive,        \
                                          a.receive_counts.data(), a.receive_places.data(), a.receive_type, comm);

#define UNEVEN_CALLS(NAME)                                                                                                   \
    case Call::alltoallw:                                                                                                    \
        return NAME(Alltoallw, )(a.send, a.send_counts.data(), a.send_places.data(), a.send_types.data(), a.receive,         \
                                 a.receive_counts.data(), a.receive_places.data(), a.receive_types.data(), comm);
// clang-format on

#define PLAIN(Name, name) MPI_##Name
#define REFERENCE(Name, name) PMPI_##Name
#define LARGE(Name, name) MPI_##Name##_c
#define ECHELON(Name, name) FUNCTION(echelon_##name)
#define NONBLOCKING(Name, name) completed(&MPI_I##name)

/// A second start gives the same result, unless a rank's call is in place: of calls with a root only the root
/// knows.
bool may_start_again(Call call, const Arguments& a) {
    const bool has_own_place = call == Call::reduce || call == Call::gather || call == Call::scatter ||
                               call == Call::gatherv || call == Call::scatterv;
    return !has_own_place && a.send != MPI_IN_PLACE && a.receive != MPI_IN_PLACE;
}
#define PERSISTENT(Name, name) started_later(FUZZ_INIT(Name), may_start_again(call, a))

int complete_request(MPI_Request& request) {
    int complete = 0;
    for (int tests = 0; tests < 3 && complete == 0; ++tests) {
        const int tested = MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
        if (tested != MPI_SUCCESS) return tested;
    }
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// The function of a persistent call, which starts its request and completes it, and `again` if that gives
/// the same result.
template <class Init>
auto started_later(Init init, bool again) {
    return [=]([[maybe_unused]] auto... arguments) {
        int code = MPI_ERR_OTHER;
        if constexpr (!std::is_null_pointer_v<Init>) {
            MPI_Request request = MPI_REQUEST_NULL;
            code = init(arguments..., MPI_INFO_NULL, &request);
            if (code != MPI_SUCCESS) return code;
            for (int start = 0; start <= int(again) && code == MPI_SUCCESS; ++start) {
                code = MPI_Start(&request);
                if (code == MPI_SUCCESS) code = complete_request(request);
            }
            MPI_Request_free(&request);
        }
        return code;
    };
}

/// The function of a nonblocking call, which completes its request.
template <class... Parameters>
auto completed(int (*start)(Parameters...)) {
    return [start](auto... arguments) {
        MPI_Request request = MPI_REQUEST_NULL;
        const int code = start(arguments..., &request);
        if (code != MPI_SUCCESS) return code;
        return complete_request(request);
    };
}

int plain(Call call, const Arguments& a, MPI_Comm comm) {
    switch (call) { COMMON_CALLS(PLAIN) BARRIER_CALL(PLAIN) BLOCK_CALLS(PLAIN) UNEVEN_CALLS(PLAIN) }
    return MPI_ERR_OTHER;
}

int reference(Call call, const Arguments& a, MPI_Comm comm) {
    switch (call) {
        COMMON_CALLS(REFERENCE) BARRIER_CALL(REFERENCE) BLOCK_CALLS(REFERENCE) UNEVEN_CALLS(REFERENCE)
    }
    return MPI_ERR_OTHER;
}

int large([[maybe_unused]] Call call, [[maybe_unused]] const Arguments& a, [[maybe_unused]] MPI_Comm comm) {
#if MPI_VERSION >= 4
    switch (call) {
        COMMON_CALLS(LARGE)
        case Call::reduce_scatter: {
            const std::vector<MPI_Count> counts(a.receive_counts.begin(), a.receive_counts.end());
            return MPI_Reduce_scatter_c(a.send, a.receive, counts.data(), a.receive_type, a.op, comm);
        }
        case Call::gatherv: {
            const std::vector<MPI_Count> counts(a.receive_counts.begin(), a.receive_counts.end());
            const std::vector<MPI_Aint> places(a.receive_places.begin(), a.receive_places.end());
            return MPI_Gatherv_c(a.send, a.send_count, a.send_type, a.receive, counts.data(), places.data(),
                                 a.receive_type, a.root, comm);
        }
        case Call::scatterv: {
            const std::vector<MPI_Count> counts(a.send_counts.begin(), a.send_counts.end());
            const std::vector<MPI_Aint> places(a.send_places.begin(), a.send_places.end());
            return MPI_Scatterv_c(a.send, counts.data(), places.data(), a.send_type, a.receive,
                                  a.receive_count, a.receive_type, a.root, comm);
        }
        case Call::allgatherv: {
            const std::vector<MPI_Count> counts(a.receive_counts.begin(), a.receive_counts.end());
            const std::vector<MPI_Aint> places(a.receive_places.begin(), a.receive_places.end());
            return MPI_Allgatherv_c(a.send, a.send_count, a.send_type, a.receive, counts.data(),
                                    places.data(), a.receive_type, comm);
        }
        case Call::alltoallv: {
            const std::vector<MPI_Count> sent(a.send_counts.begin(), a.send_counts.end()),
                received(a.receive_counts.begin(), a.receive_counts.end());
            const std::vector<MPI_Aint> from(a.send_places.begin(), a.send_places.end()),
                to(a.receive_places.begin(), a.receive_places.end());
            return MPI_Alltoallv_c(a.send, sent.data(), from.data(), a.send_type, a.receive, received.data(),
                                   to.data(), a.receive_type, comm);
        }
        default:
            break;
    }
#endif
    return plain(call, a, comm);
}

int through_echelon(Call call, const Arguments& a, MPI_Comm comm) {
    switch (call) {
        COMMON_CALLS(ECHELON)
        BARRIER_CALL(ECHELON)
        BLOCK_CALLS(ECHELON)
        default:
            return plain(call, a, comm);
    }
}

int nonblocking(Call call, const Arguments& a, MPI_Comm comm) {
    switch (call) {
        COMMON_CALLS(NONBLOCKING)
        BARRIER_CALL(NONBLOCKING)
        BLOCK_CALLS(NONBLOCKING)
        default:
            return plain(call, a, comm);
    }
}

int persistent(Call call, const Arguments& a, MPI_Comm comm) {
    switch (call) {
        COMMON_CALLS(PERSISTENT)
        BARRIER_CALL(PERSISTENT)
        BLOCK_CALLS(PERSISTENT)
        default:
            return plain(call, a, comm);
    }
}

}  // namespace

int perform(Way way, Call call, const Arguments& arguments, MPI_Comm comm) {
    switch (way) {
        case Way::large:
            return large(call, arguments, comm);
        case Way::echelon:
            return has_echelon() ? through_echelon(call, arguments, comm) : plain(call, arguments, comm);
        case Way::nonblocking:
            return nonblocking(call, arguments, comm);
        case Way::persistent:
            return persistent(call, arguments, comm);
        case Way::reference:
            return reference(call, arguments, comm);
        default:
            return plain(call, arguments, comm);
    }
}

bool has_echelon() { return FUNCTION(echelon_allreduce) != nullptr; }

void force(MPI_Comm comm, const char* collective, const char* recipe, std::size_t from, std::size_t to) {
    if (has_echelon()) FUNCTION(echelon_force)(comm, collective, recipe, from, to, 0);
}
void clear(MPI_Comm comm, const char* collective) {
    if (has_echelon()) FUNCTION(echelon_clear)(comm, collective);
}
void groups(MPI_Comm comm, const char* collective, int number) {
    if (has_echelon()) FUNCTION(echelon_groups)(comm, collective, number, 0, ECHELON_NO_LIMIT);
}
void trials(MPI_Comm comm, const char* collective, int percent) {
    if (has_echelon()) FUNCTION(echelon_trials)(comm, collective, percent, 0, ECHELON_NO_LIMIT);
}
void train(MPI_Comm comm, const char* collective, std::size_t bytes, double seconds) {
    if (has_echelon()) FUNCTION(echelon_train)(comm, collective, &bytes, 1, seconds);
}

}  // namespace fuzz
