// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/fingerprint.hpp"
#include "estimators/profile/json_reader.hpp"

#include <optional>
#include <string_view>

namespace echelon {

/// Reads a profile's `fingerprint`. Throws Error for an invalid value.
Fingerprint fingerprint_from(const JsonReader& json);

/// Fingerprint of a profile's text. Does not parse the samples behind it: most profiles of a folder belong to
/// other machines. Returns nullopt if the fingerprint is missing or invalid.
std::optional<Fingerprint> fingerprint_ahead(std::string_view text);

}  // namespace echelon
