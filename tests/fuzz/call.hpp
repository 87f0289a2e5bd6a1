// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drop_in/kinds.h"

#include <mpi.h>
#include <array>
#include <string_view>
#include <vector>

/// The function that makes a persistent collective; null if the library has none.
#if MPI_VERSION >= 4
#define FUZZ_INIT(name) &MPI_##name##_init
#elif defined(OPEN_MPI)
#include <mpi-ext.h>
#define FUZZ_INIT(name) &MPIX_##name##_init
#else
#define FUZZ_INIT(name) nullptr
#endif

namespace fuzz {

enum class Call { KINDS(KIND_NAME) KINDS_WITH_COUNTS(KIND_NAME) alltoallw };

inline constexpr std::array call_names{KINDS(KIND_TEXT) KINDS_WITH_COUNTS(KIND_TEXT) "alltoallw"};
constexpr int call_count = int(call_names.size());
inline const char* name(Call call) { return call_names[std::size_t(call)]; }

constexpr bool reduces(Call c) {
    return c == Call::allreduce || c == Call::reduce || c == Call::reduce_scatter ||
           c == Call::reduce_scatter_block || c == Call::scan || c == Call::exscan;
}
constexpr bool rooted(Call c) {
    return c == Call::reduce || c == Call::bcast || c == Call::gather || c == Call::scatter ||
           c == Call::gatherv || c == Call::scatterv;
}
/// True if the receive buffer of the root may be MPI_IN_PLACE.
constexpr bool scatters(Call c) { return c == Call::scatter || c == Call::scatterv; }
/// True if each rank has its own count.
constexpr bool uneven(Call c) { return c >= Call::gatherv; }

/// Arguments of one rank, including intended null pointers and MPI_IN_PLACE.
struct Arguments {
    const void* send = nullptr;
    void* receive = nullptr;
    MPI_Datatype send_type = MPI_DATATYPE_NULL, receive_type = MPI_DATATYPE_NULL;
    int send_count = 0, receive_count = 0;
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    /// For uneven calls, and reduce_scatter's counts; places in elements (alltoallw: bytes).
    std::vector<int> send_counts, receive_counts, send_places, receive_places;
    std::vector<MPI_Datatype> send_types, receive_types;
};

/// Function that makes the call.
enum class Way {
    plain,        // MPI_Allreduce
    large,        // MPI_Allreduce_c
    echelon,      // echelon_allreduce, if the library is there
    nonblocking,  // MPI_Iallreduce and MPI_Wait, or MPI_Test until it is complete
    persistent,   // MPI_Allreduce_init, started once or twice
    reference,    // PMPI_Allreduce
};
inline constexpr std::array way_names{"MPI_", "MPI_..._c", "echelon_", "MPI_I", "MPI_..._init", "PMPI_"};

/// Returns MPI's return code.
int perform(Way way, Call call, const Arguments& arguments, MPI_Comm comm);
/// True if Echelon's C functions are in this process.
bool has_echelon();

// Echelon's functions for tuning a communicator; they do nothing without the library. Refusals are not
// errors.
void force(MPI_Comm comm, const char* collective, const char* recipe, std::size_t from, std::size_t to);
void clear(MPI_Comm comm, const char* collective);
void groups(MPI_Comm comm, const char* collective, int number);
void trials(MPI_Comm comm, const char* collective, int percent);
void train(MPI_Comm comm, const char* collective, std::size_t bytes, double seconds);

}  // namespace fuzz
