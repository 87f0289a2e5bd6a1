// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/profile/json_reader.hpp"

namespace echelon {

/// A network model as profiles write it: an object whose `model` is hockney, piecewise_hockney, loggp, plogp
/// or postal.
nlohmann::ordered_json network_to_json(const Network& network);
/// Error: as JsonReader's. `residual`, which stands beside the parameters, is left to the caller.
Network network_from_json(const JsonReader& reader);

}  // namespace echelon
