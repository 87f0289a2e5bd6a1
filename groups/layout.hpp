// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <string>

namespace echelon {

/// Nodes and ranks as profiles write them: "16x4" for 16 nodes of 4 consecutive ranks each, "15x4+1x2" where the last of 16 nodes has
/// 2, "16x4 cyclic" where ranks go to the nodes in turns; "16x4 on 2 sites", or "16x4 on sites 10+6" where these have not as many
/// nodes; "16x4 on 4 switches", "16x4 on 4 switches on 2 sites". What such words do not tell, "16x4 mixed" or "62 on 16", or where in a torus the nodes are, ends in a number of who sits where: " #3f29c07b". Equal
/// layouts are equal placements, but for what is inside a node.
std::string layout_of(const Placement& placement);
/// A placement of p ranks from such words, with block placement for what they do not tell. Error: not of these forms.
Placement placement_of_layout(const std::string& layout);
/// Whether there is but one such placement.
bool tells_every_rank(const std::string& layout);
/// What nobody calls a placement any more: words of versions before, which do not tell who sits where, and have no number.
bool is_old(const std::string& layout);

/// How far ranks are spread.
struct Extent {
    int nodes = 1, sites = 1;
};
/// Of 0 nodes: not of these forms.
Extent extent_of_layout(const std::string& layout);

}  // namespace echelon
