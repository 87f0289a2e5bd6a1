// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/profile/json_reader.hpp"

namespace echelon {

/// A network model in the form of profiles: an object whose `model` is hockney, piecewise_hockney, loggp,
/// plogp, postal or protocol.
nlohmann::ordered_json network_to_json(const Network& network);
/// Throws Error like JsonReader. The caller reads `residual`, which stands beside the parameters.
Network network_from_json(const JsonReader& reader);

}  // namespace echelon
