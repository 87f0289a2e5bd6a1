// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "estimators/profile.hpp"
#include "groups/placement.hpp"

#include <memory>
#include <string>

namespace echelon::tool {

/// The profile in a file. Error: there is none, or it is wrong.
std::shared_ptr<const Profile> read_profile(const std::string& path);

/// p ranks on nodes of `ranks_per_node` consecutive ones; or as `layout` says, such as `16x4 cyclic`, which
/// must then be of p ranks if p is not 0.
Placement ranks_on_nodes(int p, int ranks_per_node, const std::string& layout);

/// Error: there is no such collective.
Collective parse_collective(const std::string& text);

}  // namespace echelon::tool
