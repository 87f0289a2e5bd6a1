// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace echelon::cluster {

using Nanoseconds = std::int64_t;

/// Shape of a cluster: nodes at one switch, or in racks that share a trunk.
struct Shape {
    int nodes = 4;
    /// From node to node, one way.
    Nanoseconds latency = 5'000'000;
    /// Bits a second of a node's card, each way; 0: no limit.
    double rate = 20e6;
    /// Consecutive nodes share a rack. A message to another rack passes two trunks.
    int racks = 1;
    /// One way, added between racks.
    Nanoseconds trunk_latency = 0;
    double trunk_rate = 0;

    int rack_of(int node) const { return int(std::int64_t(node) * racks / nodes); }

    friend bool operator==(const Shape&, const Shape&) = default;
};

/// `8 nodes, 5 ms one way, 20 Mbit/s; 2 racks, 1 ms and 100 Mbit/s more between them`
std::string to_string(const Shape& shape);

/// `5ms` in nanoseconds, `20M` in bits a second. Error: the text is neither.
Nanoseconds parse_latency(const std::string& text);
double parse_rate(const std::string& text);

}  // namespace echelon::cluster
