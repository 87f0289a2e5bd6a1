// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"

#include <string_view>
#include <vector>

namespace echelon {

/// The fitted machine (its `nodes` are empty), and the typical deviation of samples from it.
struct Parameters {
    Machine machine = {};
    /// Typical relative deviation of messages from their network; inside a node, of the algorithms measured
    /// there.
    double inside_residual = 0, between_residual = 0;
    /// False if the calibration had no messages of this kind; then the other network stands for it.
    bool inside_is_measured = true, between_is_measured = true;
    /// Hosts by switch and site, if the machine has these levels beyond its nodes, or by position in its
    /// torus; empty if unknown.
    std::vector<Inhabitants> regions = {};
    /// Typical relative deviation of measured algorithms from the model, on several nodes if any was.
    double residual = 0.2;

    friend bool operator==(const Parameters&, const Parameters&) = default;
};

/// Kind of messages of p ranks on these nodes that was not measured, "inside nodes" or "between nodes"; empty
/// if all were.
std::string_view not_measured(const Parameters& parameters, int p, int nodes);

}  // namespace echelon
