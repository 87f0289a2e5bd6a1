// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/program.hpp"

namespace fuzz {

// Defects of the MPI libraries themselves. Each entry has a small program in library_defects/ that shows it
// without Echelon. Sessions (session_again.c), messages of gigabytes (scatter_two_gib.c), places of one
// rank's block (allgatherv_of_one.c), waiting for a persistent call that was not started
// (persistent_inactive.c), and freeing what it uses (persistent_freed.c) are not drawn.

/// The step without causes of crashes or hangs in the library, which would end the comparison.
Step spared(Step step, int ranks);

/// create_group_wildcard.c: ranks that have not ended an earlier step would receive messages of
/// MPI_Comm_create_group.
#ifdef OPEN_MPI
constexpr bool create_group_disturbs_receives = true;
#else
constexpr bool create_group_disturbs_receives = false;
#endif

/// create_group_topology.c: neighbour collectives on a communicator of MPI_Comm_create_group would hang.
#ifdef OPEN_MPI
constexpr bool create_group_keeps_topologies = true;
#else
constexpr bool create_group_keeps_topologies = false;
#endif

/// True if the library itself is known to give a wrong result for this call. Asked only if its result differs
/// from a fold by hand, and ours does not.
bool is_known_defect(const Step& step, int ranks);

/// True if the library itself is known to return this error for a correct call.
bool is_known_error(const Step& step, int ranks, int code);

/// True if the library itself is known to make another datatype of this description. These types are not
/// drawn.
bool is_known_defect(const Layout& layout);

}  // namespace fuzz
