// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/program.hpp"

namespace fuzz {

// What is wrong in the MPI libraries themselves. Each entry has a small program in library_defects/ that
// shows it without Echelon; nothing is on the list that has none. Sessions (session_again.c) and messages of
// gigabytes (scatter_two_gib.c) are not drawn.

/// The step without what makes the library itself crash or hang, which would end the comparison.
Step spared(Step step, int ranks);

/// create_group_wildcard.c: ranks that have not ended an earlier step yet would receive messages of
/// MPI_Comm_create_group.
#ifdef OPEN_MPI
constexpr bool create_group_disturbs_receives = true;
#else
constexpr bool create_group_disturbs_receives = false;
#endif

/// create_group_topology.c: neighbours of what MPI_Comm_create_group makes would wait for ever.
#ifdef OPEN_MPI
constexpr bool create_group_keeps_topologies = true;
#else
constexpr bool create_group_keeps_topologies = false;
#endif

/// Whether the library itself is known to give a wrong result for such calls. Asked only where its result is
/// not that of a fold by hand, and ours is.
bool is_known_defect(const Step& step, int ranks);

/// Whether the library itself is known to end such calls with this error, where nothing is wrong.
bool is_known_error(const Step& step, int ranks, int code);

/// Whether the library itself is known to make another datatype of this description. Such types are not drawn.
bool is_known_defect(const Layout& layout);

}  // namespace fuzz
