// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/placement.hpp"

#include <string>

namespace echelon {

/// Nodes and ranks as profiles write them: "16x4" for 16 nodes of 4 consecutive ranks each, "16x4 cyclic",
/// "16x4 mixed" where ranks are neither, "64 on 16" for uneven nodes; "16x4 on 2 sites". Equal layouts behave alike.
std::string layout_of(const Placement& placement);
/// A placement of p ranks from such words, with block placement for what they do not tell, and as many nodes on each
/// site. Error: not of these forms.
Placement placement_of_layout(const std::string& layout);
/// Whether there is but one such placement.
bool tells_every_rank(const std::string& layout);

/// How far ranks are spread.
struct Extent {
    int nodes = 1, sites = 1;
};
/// Of 0 nodes: not of these forms.
Extent extent_of_layout(const std::string& layout);

}  // namespace echelon
