// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace echelon {

/// Identity of the measured machine; measurements say little about another machine.
struct Fingerprint {
    /// Library and version, reported by the library.
    std::string mpi = {};
    std::string processor = {};
    /// Network interfaces, in alphabetical order.
    std::vector<std::string> networks = {};
    /// Ranks on the busiest node.
    int ranks_per_node = 0;

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Differences between two fingerprints in words; empty if they match. The number of ranks per node does not
/// count: samples carry their layout.
std::string difference(const Fingerprint& profile, const Fingerprint& here);

}  // namespace echelon
