// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"

#include <string>

namespace echelon::tool {

/// Reads a network: a model's name, a colon, and its parameters:
///   hockney:alpha=10us,beta=1ns    loggp:L=5us,o=1us,g=2us,G=1ns
///   postal:alpha_p=1.5us,alpha_r=0.4us,beta=0.1ns
/// Parameters that are left out are 0. Error: unknown model, unknown parameter, or no number.
Network parse_network(const std::string& text);

/// Reads shared memory: hand_over=60ns,copy=0.1ns. Defaults and errors are like in parse_network.
SharedMemory parse_shared_memory(const std::string& text);

/// A time with a unit: 10us, 0.3ns, 2ms, 1s. Error: anything else, or a negative one.
Seconds parse_seconds(const std::string& text);

}  // namespace echelon::tool
