// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/random.hpp"

#include <string>
#include <utility>
#include <vector>

namespace fuzz {

/// A recipe from the grammar, with the catalog's names and parameters. Most can serve the collective on
/// `ranks` ranks.
std::string random_recipe(Random& random, const std::string& collective, int ranks);
std::string random_groups(Random& random, int ranks);

/// ECHELON_... variables for one launch; `rank` matters for settings that differ by rank.
std::vector<std::pair<std::string, std::string>> random_settings(std::uint64_t seed, int rank, int ranks);

/// Names of Echelon's collectives in settings.
const std::vector<std::string>& tuned_collectives();

}  // namespace fuzz
