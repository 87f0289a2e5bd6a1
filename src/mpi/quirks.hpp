// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string_view>

/// The differences between MPI libraries that the standard permits, and their defects. No other file asks
/// which library it is.
namespace echelon::quirks {

#ifdef OPEN_MPI
inline constexpr bool open_mpi = true;
#else
inline constexpr bool open_mpi = false;
#endif
#ifdef ECHELON_SMPI
/// SimGrid's SMPI simulates the ranks one after the other in one process. Time is virtual and exact, and
/// passes only in messages.
inline constexpr bool simulated = true;
#else
inline constexpr bool simulated = false;
#endif
#ifdef MPICH_VERSION
inline constexpr bool mpich = !simulated;
#else
inline constexpr bool mpich = false;
#endif

// Each entry names the versions for which it was seen to hold, and a report of others, or a test or page of
// this project. It is assumed to hold for the library's other versions too.

/// Several threads that make communicators at once hang, even from different parents.
/// Holds for: Open MPI 4.1.4. Reference: docs/drop_in.md.
inline constexpr bool threads_make_no_communicators = open_mpi;

/// Each nonblocking collective takes the next tag down from -27. The tags eventually reach -50 and -51, which
/// MPI_Dist_graph_create uses. MPI_Comm_split makes nonblocking collectives.
/// Holds for: Open MPI 4.1.4. Reference: Open MPI #13918, mended in 2026 (for 4.1 by #14211).
inline constexpr bool nonblocking_collectives_use_up_tags = open_mpi;

/// The root of a nonblocking broadcast sends to one rank after the other.
/// Holds for: SMPI of SimGrid 3.32. Reference: docs/results/nothing_set.md.
inline constexpr bool nonblocking_bcasts_go_to_each = simulated;

/// Short sends are usually complete when they are started, and it costs next to nothing to ask.
/// Holds for: MPICH 4.0.2 and Open MPI 4.1.4. In SMPI of SimGrid 3.32 a test takes time.
inline constexpr bool short_sends_end_at_once = !simulated;

/// Messages can be sent and awaited in MPI_Finalize, where MPI deletes the attributes of MPI_COMM_SELF, and
/// sent to ranks that have called it.
/// Holds for: MPICH 4.0.2 and Open MPI 4.1.4. SMPI of SimGrid 3.32 ends the simulation. Reference: test
/// nothing_set, bench/studies/scaling.
inline constexpr bool sends_in_finalize = !simulated;

/// Equal send and receive buffers are an error. Open MPI treats them like a call in place, except in reduce
/// and allreduce. Only the rank that passes them knows, and it must not take another path than the others.
/// Holds for: MPICH 4.0.2. Reference: test block_collectives.
inline constexpr bool refuses_aliases = mpich;

/// A rank that expects more of a bcast than the root sends gets the shorter data and MPI_ERR_OTHER.
/// Holds for: MPICH 4.0.2, not Open MPI 4.1.4. Reference: test errors.
inline constexpr bool reports_short_data = mpich;

/// MPI_OFFSET is compared as the signed type that it is.
/// Holds for: MPICH 4.0.2, not Open MPI 4.1.4. Reference: test legality.
inline constexpr bool offset_has_a_sign = !open_mpi;

/// Some minima and maxima of unsigned integers are computed as if signed. A call's result must not depend on
/// the implementation that serves it.
/// Holds for: MPICH 4.0.2 and Open MPI 4.1.4. Reference: MPICH #6083, Open MPI #10648; test legality.
inline constexpr bool unsigned_extremes_may_have_a_sign = true;

/// Vector code saturates sums of 8 and 16 bits, and the remainder loop wraps around: results depend on where
/// vectors are cut.
/// Holds for: Open MPI 4.1.4 (ompi/mca/op/avx). Reference: Open MPI #8045, which will not be mended.
inline constexpr bool small_sums_depend_on_cuts = open_mpi;

/// Vector code and loops treat 0 and -0, and NaN, differently in a minimum or maximum; MPI leaves it open.
/// Holds for: Open MPI 4.1.4 (ompi/mca/op/avx). Reference: test legality.
inline constexpr bool extremes_depend_on_cuts = open_mpi;

/// A reduce in place crashes at roots other than 0, beyond 2 KiB on ranks of one node.
/// Holds for: MPICH 4.0.2 and 4.1.1. Reference: MPICH #6540, mended by #6543.
inline constexpr bool reduce_in_place_crashes = mpich;

/// MPI_IN_PLACE is recognised also in arguments that do not allow it; MPICH takes it for an address there.
/// Holds for: Open MPI 4.1.4, not MPICH 4.0.2. Reference: test signature.
inline constexpr bool knows_in_place_everywhere = open_mpi;

/// Two ranks connect at their first message, which takes about seven latencies; MPICH 4.0 over UCX connects
/// in MPI_Init.
/// Holds for: Open MPI 4.1.4. Reference: docs/results/cluster.md.
inline constexpr bool connects_late = open_mpi;

/// MPI_Comm_dup copies the info of the original, including Echelon's keys.
/// Holds for: MPI 3 and before. Reference: MPI 4.0, where the copy has none; test drop_in_told.
inline constexpr bool dup_copies_info = MPI_VERSION < 4;

/// A rank keeps its processor while it waits.
/// Holds for: MPICH 4.0.2 over UCX. Reference: src/pmpi/yield.c; test harness.
inline constexpr bool spins_while_it_waits = mpich;

/// True if an error of a call that makes communicators may mean that none is left, on all ranks alike. MPICH
/// tells only by the error's text ("Too many communicators", of 2048); its other errors, like no memory, may
/// be one rank's own.
/// Holds for: MPICH 4.0.2.
inline bool may_mean_none_left(int code) {
    if constexpr (!mpich) return true;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    return PMPI_Error_string(code, text, &length) != MPI_SUCCESS ||
           std::string_view(text).find("ommunicators") != std::string_view::npos;
}

/// A handle of MPICH is a number that encodes its kind; handles of other libraries are pointers without that
/// information.
/// Holds for: MPICH 4.0.2, and libraries with its ABI.
enum class HandleKind : unsigned { datatype = 0x0c000000, operation = 0x18000000 };
inline bool can_be(int handle, HandleKind kind) {
    constexpr unsigned kinds = 0x3c000000;
    return (unsigned(handle) & kinds) == unsigned(kind) && unsigned(handle) >> 30 != 0;
}
inline bool can_be(const void* /*handle*/, HandleKind /*kind*/) { return true; }

}  // namespace echelon::quirks

/// 1 if mpi.h has the calls of MPI-4 with counts of MPI_Count.
#if MPI_VERSION >= 4 && !defined(ECHELON_SMPI)
#define ECHELON_HAS_LARGE_COUNTS 1
#else
#define ECHELON_HAS_LARGE_COUNTS 0
#endif

/// The names of persistent collectives, ECHELON_PERSISTENT(MPI, Allreduce): of MPI-4, or an extension of Open
/// MPI 4.
#if (MPI_VERSION >= 4 && !defined(ECHELON_SMPI)) || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define ECHELON_HAS_PERSISTENT 1
#define ECHELON_PERSISTENT(prefix, Name) prefix##_##Name##_init
#elif defined(OPEN_MPI)
#include <mpi-ext.h>
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define ECHELON_HAS_PERSISTENT 1
#define ECHELON_PERSISTENT(prefix, Name) prefix##X_##Name##_init
#define ECHELON_PERSISTENT_IS_EXTENSION 1
#endif
#endif

#ifdef ECHELON_SMPI
/// SMPI's mpi.h lacks the types of Fortran and C++, graph communicators and intercommunicators.
#define ECHELON_HAS_ALL_OF_MPI_3 0
/// Each simulated rank is a copy of the program: together they exceed the loader's reserve for
/// "initial-exec".
#define ECHELON_TLS_MODEL "global-dynamic"
#else
#define ECHELON_HAS_ALL_OF_MPI_3 1
/// Thread-local variables are reached without a call. It is safe in a library that is loaded with the
/// program; a library loaded later finds its few hundred bytes in the loader's reserve.
#define ECHELON_TLS_MODEL "initial-exec"
#endif

/// The library with a registry of variables behind MPI_T, whose soname stands for its arguments
/// (front/tool_variables.cpp). MPICH has none.
/// Holds for: Open MPI 4.1.4. Reference: test drop_in_tool_variables.
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION == 4
#define ECHELON_REGISTRY_OF_VARIABLES "libopen-pal.so.40"
#endif

/// The way to take part in the library's progress (mpi/progress.hpp); none in simulation.
/// Holds for: Open MPI 4.1.4, MPICH 4.0.2 over UCX. Reference: test drop_in_nonblocking.
#if defined(OPEN_MPI)
#define ECHELON_PROGRESS_BY_OPAL 1
#elif defined(MPICH_VERSION) && !defined(ECHELON_SMPI)
#define ECHELON_PROGRESS_BY_UCX 1
#endif

/// Open MPI's Fortran bindings call PMPI_* and bypass the names of C: the names of Fortran must be wrapped
/// too. MPICH's bindings call the names of C, except for some procedures of mpi_f08.
#ifdef OPEN_MPI
#define ECHELON_FORTRAN_PASSES_C 1
#else
#define ECHELON_FORTRAN_PASSES_C 0
#endif
