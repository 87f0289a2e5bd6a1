// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/json_reader.hpp"
#include "estimators/profile/profile.hpp"

#include <optional>
#include <string_view>

namespace echelon {

/// A profile's `fingerprint`. Error: a value that cannot be.
Fingerprint fingerprint_from(const JsonReader& json);

/// That of a profile's text, without reading on behind it, where samples are: most profiles of a folder are of other
/// machines. Nullopt: there is none, or something is wrong with it.
std::optional<Fingerprint> fingerprint_ahead(std::string_view text);

}  // namespace echelon
