// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/registry.hpp"

namespace echelon::cluster {

/// The obstacle to clusters on this machine, in a sentence; empty if there is none.
std::string obstacle();

/// Starts the cluster and returns when it is up. Error: it is up already in another shape, or cannot be made;
/// a failed start leaves nothing behind. False: it was up already.
bool bring_up(Registry& registry, const std::string& name, const Shape& shape);

/// Ends it with all processes in it. False: it was not up.
bool take_down(Registry& registry);

}  // namespace echelon::cluster
