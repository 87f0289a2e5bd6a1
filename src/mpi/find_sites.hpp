// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <mpi.h>

namespace echelon {

/// The same placement with its nodes on the sites that short messages show: between sites they take half as long again
/// as inside of one, or longer, and each site has two nodes or more. Where that is not plainly so all nodes are of one;
/// sites that ranks were told of stay. In some log2(nodes) steps of one short message. Collective; the same on all ranks.
Placement find_sites(MPI_Comm comm, const Placement& placement);

}  // namespace echelon
