// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <mpi.h>

namespace echelon {

/// The same placement with its nodes in the regions that short messages show. In a torus (estimators/fit/fit_torus.hpp), of
/// eight nodes or more; else on sites: between these they take half as long again as inside of one, or longer, and each has two
/// nodes or more. Where neither is plainly so all nodes are of one site. Sites that ranks were told of stay, and so do switches, which
/// are of one site each. In some log2(nodes)
/// steps of one short message. Collective; the same on all ranks.
Placement find_regions(MPI_Comm comm, const Placement& placement);

}  // namespace echelon
