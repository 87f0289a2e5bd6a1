// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/ranks_per_node.hpp"

#include <memory>
#include <string>
#include <vector>

namespace echelon::tool {

/// The profile in a file. Error: there is none, or it is wrong.
std::shared_ptr<const Profile> read_profile(const std::string& path);

/// What each MPI library that Echelon was built with calls itself; `family`: of that one only.
std::vector<std::string> mpis_here(const std::string& family = "");

/// The file `named`; where that is empty or a folder, the one that programs with so many ranks a node go by here, or
/// would by that folder. Error: there is none, or programs of another MPI go by another.
std::string file_or_usual_profile(const std::string& named, int ranks_per_node);

/// More would take hours, or the memory.
constexpr int most_ranks = 100'000;

/// p ranks on nodes of `ranks_per_node` consecutive ones; or as `layout` says, such as `16x4 cyclic`, which
/// must then be of p ranks if p is not 0.
Placement ranks_on_nodes(int p, int ranks_per_node, const std::string& layout);

}  // namespace echelon::tool
