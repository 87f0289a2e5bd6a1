// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string_view>

/// In what MPI libraries differ where the standard leaves it to them, and where they are wrong. No other file asks which library it is.
namespace echelon::quirks {

#ifdef OPEN_MPI
inline constexpr bool open_mpi = true;
#else
inline constexpr bool open_mpi = false;
#endif
#ifdef ECHELON_SMPI
/// SimGrid's SMPI: ranks are simulated, one after the other in one process; time is virtual and exact, and passes in messages alone.
inline constexpr bool simulated = true;
#else
inline constexpr bool simulated = false;
#endif
#ifdef MPICH_VERSION
inline constexpr bool mpich = !simulated;
#else
inline constexpr bool mpich = false;
#endif

/// Open MPI 4.1 hangs where threads make communicators from several at once, though each thread has its own (docs/drop_in.md).
inline constexpr bool threads_make_no_communicators = open_mpi;

/// Nonblocking collectives count their tags down from -27, one for each, and sooner or later meet the -50 and -51 of
/// MPI_Dist_graph_create: Open MPI 4.1, whose MPI_Comm_split makes some of them.
inline constexpr bool nonblocking_collectives_use_up_tags = open_mpi;

/// Send and receive buffers that are the same are wrong in MPICH. Open MPI takes them as if the call were in place, but in reduce and
/// allreduce; only the rank that passes them knows of it, so it must not go another way than the others.
inline constexpr bool refuses_aliases = mpich;

/// Open MPI compares MPI_OFFSET without a sign.
inline constexpr bool offset_has_a_sign = !open_mpi;

/// Open MPI's vector code stops sums of 8 and 16 bits at the ends of their range, and those left over at a vector's end wrap around:
/// results show where vectors are cut (Open MPI 4.1.4, ompi/mca/op/avx).
inline constexpr bool small_sums_depend_on_cuts = open_mpi;

/// Open MPI's vector code and its loops differ in what becomes of 0 and -0, or of a NaN, in a minimum or maximum; MPI does not say.
inline constexpr bool extremes_depend_on_cuts = open_mpi;

/// MPICH 4.0 crashes in place at roots other than 0, beyond 2 KiB on ranks of one node (MPICH #6540).
inline constexpr bool reduce_in_place_crashes = mpich;

/// MPICH 4.0 takes MPI_IN_PLACE for an address where a call has no place for it.
inline constexpr bool knows_in_place_everywhere = open_mpi;

/// Ranks are connected when they first talk to each other, which takes some five latencies: Open MPI 4.1. MPICH 4.0 over UCX does so in
/// MPI_Init.
inline constexpr bool connects_late = open_mpi;

/// MPICH over UCX keeps its processor while it waits (src/pmpi/yield.c).
inline constexpr bool spins_while_it_waits = mpich;

/// An error of making a communicator may mean that none is left, on all ranks alike. MPICH says so in the error's text alone
/// ("Too many communicators", of 2048); its other errors are one rank's own, like memory that is used up.
inline bool may_mean_none_left(int code) {
    if constexpr (!mpich) return true;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    return PMPI_Error_string(code, text, &length) != MPI_SUCCESS ||
           std::string_view(text).find("ommunicators") != std::string_view::npos;
}

/// A handle of MPICH is a number that says of what kind it is; those of other libraries are pointers, which tell nothing.
enum class HandleKind : unsigned { datatype = 0x0c000000, operation = 0x18000000 };
inline bool can_be(int handle, HandleKind kind) {
    constexpr unsigned kinds = 0x3c000000;
    return (unsigned(handle) & kinds) == unsigned(kind) && unsigned(handle) >> 30 != 0;
}
inline bool can_be(const void* /*handle*/, HandleKind /*kind*/) { return true; }

}  // namespace echelon::quirks

/// Whether mpi.h has the calls of MPI-4 with counts of MPI_Count.
#if MPI_VERSION >= 4 && !defined(ECHELON_SMPI)
#define ECHELON_HAS_LARGE_COUNTS 1
#else
#define ECHELON_HAS_LARGE_COUNTS 0
#endif

#ifdef ECHELON_SMPI
/// SMPI's mpi.h lacks types of Fortran and of C++, communicators of graphs and those between worlds.
#define ECHELON_HAS_ALL_OF_MPI_3 0
/// Every rank is a copy of the program, more than the space holds that the loader keeps free for "initial-exec".
#define ECHELON_TLS_MODEL "global-dynamic"
#else
#define ECHELON_HAS_ALL_OF_MPI_3 1
/// Reached without a call, as is safe in a library that is there when the program starts; one that is loaded later finds what it
/// needs, some hundred bytes, in what the loader keeps free for such libraries.
#define ECHELON_TLS_MODEL "initial-exec"
#endif

/// Open MPI's Fortran calls PMPI_*, past the names of C: those of Fortran must be wrapped themselves. MPICH's comes through the names of C,
/// but for some procedures of mpi_f08.
#ifdef OPEN_MPI
#define ECHELON_FORTRAN_PASSES_C 1
#else
#define ECHELON_FORTRAN_PASSES_C 0
#endif
