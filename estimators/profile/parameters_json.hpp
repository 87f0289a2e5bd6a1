// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/json_reader.hpp"
#include "estimators/profile/parameters.hpp"

namespace echelon {

/// The fitted machine and the places of its hosts, in the form of profiles.
nlohmann::ordered_json parameters_to_json(const Parameters& parameters);
/// Throws Error like JsonReader.
Parameters parameters_from_json(const JsonReader& reader);

}  // namespace echelon
