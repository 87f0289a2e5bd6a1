// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <string>

namespace echelon {

/// The layout of a placement, as profiles write it:
///
///  16x4                            16 nodes of 4 consecutive ranks each
///  15x4+1x2                        the last of 16 nodes has 2 ranks
///  16x4 cyclic                     ranks go to the nodes in turns
///  16x4 on 2 sites                 sites with equally many nodes
///  16x4 on sites 10+6              sites with different numbers of nodes
///  16x4 on 4 switches on 2 sites   switches and sites
///  16x4 mixed #3f29c07b            another order of the ranks
///  62 on 16 #3f29c07b              62 ranks on 16 nodes in any other way
///
/// A layout whose words do not determine the placement, and every layout in a torus, ends in a hash of the
/// placement. Equal layouts are equal placements, except for places inside nodes.
std::string layout_of(const Placement& placement);
/// A placement with this layout; ranks fill node after node if the words do not determine it. Error: not of
/// these forms.
Placement placement_of_layout(const std::string& layout);
/// True if the words determine the placement.
bool tells_every_rank(const std::string& layout);
/// True for a layout of earlier versions: its words do not determine the placement, and it has no hash.
bool is_old(const std::string& layout);

/// The numbers of nodes and sites.
struct Extent {
    int nodes = 1, sites = 1;
};
/// The extent has 0 nodes if the layout is not of these forms.
Extent extent_of_layout(const std::string& layout);

}  // namespace echelon
