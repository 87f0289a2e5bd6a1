// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/ranks_per_node.hpp"

#include <memory>
#include <string>
#include <vector>

namespace echelon::tool {

/// Reads the profile in a file. Error: there is none, or it is wrong.
std::shared_ptr<const Profile> read_profile(const std::string& path);

/// Version strings of the MPI libraries that Echelon was built with; `family`: of that one only.
std::vector<std::string> mpis_here(const std::string& family = "");

/// The file `named`. If that is a folder or empty: the profile that programs with this many ranks a node load
/// from that folder, or by default. Error: there is none, or programs of different MPIs load different ones.
std::string file_or_usual_profile(const std::string& named, int ranks_per_node);

/// More ranks would take hours, or the memory.
constexpr int most_ranks = 100'000;

/// p ranks on nodes of `ranks_per_node` consecutive ones; or by `layout`, like `16x4 cyclic`, which must then
/// have p ranks if p is not 0.
Placement ranks_on_nodes(int p, int ranks_per_node, const std::string& layout);

}  // namespace echelon::tool
