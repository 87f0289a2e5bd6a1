// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <mpi.h>

namespace echelon {

/// The placement with its nodes in the regions that the times of short messages show: a torus of eight nodes
/// or more (estimators/fit/fit_torus.hpp), or sites. Messages between sites take at least 1.5 times as long
/// as inside one, and each site has two nodes or more. Without a clear result all nodes are of one site.
/// Known sites and switches are kept; a switch belongs to one site. Takes about log2(nodes) steps of short
/// messages. Collective; the same result on all ranks.
Placement find_regions(MPI_Comm comm, const Placement& placement);

}  // namespace echelon
