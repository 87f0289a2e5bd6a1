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

// Each says for which versions it was seen to hold, and who else has seen it, or which test or page of ours shows it. Where nothing
// else is known of other versions of that library, it is taken to hold for them.

/// Threads hang that make communicators from several at once, though each thread has its own.
/// Holds for: Open MPI 4.1.4. Reference: docs/drop_in.md.
inline constexpr bool threads_make_no_communicators = open_mpi;

/// Nonblocking collectives count their tags down from -27, one for each, and sooner or later meet the -50 and -51 of
/// MPI_Dist_graph_create. MPI_Comm_split makes some of them.
/// Holds for: Open MPI 4.1.4. Reference: Open MPI #13918, mended in 2026 (for 4.1 by #14211).
inline constexpr bool nonblocking_collectives_use_up_tags = open_mpi;

/// The root of a nonblocking broadcast sends to one rank after the other.
/// Holds for: SMPI of SimGrid 3.32. Reference: docs/results/nothing_set.md.
inline constexpr bool nonblocking_bcasts_go_to_each = simulated;

/// Send and receive buffers that are the same are an error. Open MPI takes them as if the call were in place, but in reduce and
/// allreduce; only the rank that passes them knows of it, so it must not go another way than the others.
/// Holds for: MPICH 4.0.2. Reference: test block_collectives.
inline constexpr bool refuses_aliases = mpich;

/// MPI_OFFSET is compared with a sign, as it has one.
/// Holds for: MPICH 4.0.2, not Open MPI 4.1.4. Reference: test legality.
inline constexpr bool offset_has_a_sign = !open_mpi;

/// Minima and maxima of unsigned integers are some of those of signed ones; a call's result must not depend on who serves it.
/// Holds for: MPICH 4.0.2 and Open MPI 4.1.4. Reference: MPICH #6083, Open MPI #10648; test legality.
inline constexpr bool unsigned_extremes_may_have_a_sign = true;

/// Vector code stops sums of 8 and 16 bits at the ends of their range, and those left over at a vector's end wrap around: results show
/// where vectors are cut.
/// Holds for: Open MPI 4.1.4 (ompi/mca/op/avx). Reference: Open MPI #8045, which will not be mended.
inline constexpr bool small_sums_depend_on_cuts = open_mpi;

/// Vector code and loops differ in what becomes of 0 and -0, or of a NaN, in a minimum or maximum; MPI does not say.
/// Holds for: Open MPI 4.1.4 (ompi/mca/op/avx). Reference: test legality.
inline constexpr bool extremes_depend_on_cuts = open_mpi;

/// A reduce in place crashes at roots other than 0, beyond 2 KiB on ranks of one node.
/// Holds for: MPICH 4.0.2 and 4.1.1. Reference: MPICH #6540, mended by #6543.
inline constexpr bool reduce_in_place_crashes = mpich;

/// MPI_IN_PLACE is seen for what it is also where a call has no place for it; MPICH takes it for an address there.
/// Holds for: Open MPI 4.1.4, not MPICH 4.0.2. Reference: test signature.
inline constexpr bool knows_in_place_everywhere = open_mpi;

/// Ranks are connected when they first talk to each other, which takes some seven latencies; MPICH 4.0 over UCX does so in MPI_Init.
/// Holds for: Open MPI 4.1.4. Reference: docs/results/cluster.md.
inline constexpr bool connects_late = open_mpi;

/// MPI_Comm_dup gives the copy the info of the original, and so our keys with it.
/// Holds for: MPI 3 and before. Reference: MPI 4.0, where the copy has none; test drop_in_told.
inline constexpr bool dup_copies_info = MPI_VERSION < 4;

/// A rank keeps its processor while it waits.
/// Holds for: MPICH 4.0.2 over UCX. Reference: src/pmpi/yield.c; test harness.
inline constexpr bool spins_while_it_waits = mpich;

/// An error of making a communicator may mean that none is left, on all ranks alike. MPICH says so in the error's text alone
/// ("Too many communicators", of 2048); its other errors are one rank's own, like memory that is used up.
/// Holds for: MPICH 4.0.2.
inline bool may_mean_none_left(int code) {
    if constexpr (!mpich) return true;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    return PMPI_Error_string(code, text, &length) != MPI_SUCCESS ||
           std::string_view(text).find("ommunicators") != std::string_view::npos;
}

/// A handle of MPICH is a number that says of what kind it is; those of other libraries are pointers, which tell nothing.
/// Holds for: MPICH 4.0.2, and what has its ABI.
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
