// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

#include <string>
#include <vector>

namespace echelon {

/// The reasons why calls of this communicator are left to the library without a comparison or a request, and
/// the next step: a sentence each. Empty: none are. Local.
std::vector<std::string> why_native(Tuner& tuner);

}  // namespace echelon
