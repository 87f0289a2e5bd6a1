// SPDX-License-Identifier: Apache-2.0
#include "flat/bcast.hpp"
#include "flat/tree_bcast.hpp"
#include "flat/tree_cost.hpp"

namespace echelon {

/// Flat tree: the root sends to all others.
///
/// Cost: (p - 1)(alpha + n beta).  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005 ("linear").
void bcast_flat_tree(Link& link, const Args& args) {
    bcast_on_tree(link, args, StarTree(link.size(), args.root));
}

Cost bcast_flat_tree_cost(const Problem& problem) { return tree_bcast_cost(star_rounds(problem.p), problem); }

}  // namespace echelon
