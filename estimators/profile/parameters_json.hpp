// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/json_reader.hpp"
#include "estimators/profile/profile.hpp"

namespace echelon {

/// The fitted machine, and where its hosts are, as profiles write them.
nlohmann::ordered_json parameters_to_json(const Parameters& parameters);
/// Error: as JsonReader's.
Parameters parameters_from_json(const JsonReader& reader);

}  // namespace echelon
