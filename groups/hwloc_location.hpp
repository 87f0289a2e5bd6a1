// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "groups/placement.hpp"

namespace echelon {

/// The location of the calling process: `node` as given; package, NUMA node and third-level cache from the
/// binding that hwloc sees. A level is unknown if the process may run in several packages (NUMA nodes,
/// caches), if the machine has none, or if hwloc fails for any reason.
///
/// The first call loads the machine's topology (some 10 ms) and keeps the result for the process. Call it
/// only if places inside a node matter.
Location location_here(std::uint64_t node) noexcept;

/// Locations on a described machine, one for each set of processors. The description is hwloc's short form
/// ("pack:2 numa:2 core:4 pu:1") or hwloc's XML. A set is a list ("0-3,8"); an empty one means not bound.
/// Error: a description or a set that hwloc does not understand, a set outside of the machine.
std::vector<Location> locations_of(const std::string& topology, std::span<const std::string> processors,
                                   std::uint64_t node = 0);

}  // namespace echelon
