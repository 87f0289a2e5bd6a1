// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cluster/registry.hpp"

namespace echelon::cluster {

/// What keeps this machine from having clusters, in a sentence; empty: nothing.
std::string obstacle();

/// Starts it, and returns when it is there. Error: it is there already in another shape, or cannot be made;
/// then nothing is left. False: it was there.
bool bring_up(Registry& registry, const std::string& name, const Shape& shape);

/// Ends it with all that runs in it. False: it was not there.
bool take_down(Registry& registry);

}  // namespace echelon::cluster
