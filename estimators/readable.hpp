// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/units.hpp"

#include <string>

namespace echelon {

/// "1.25 us": a time with the unit that keeps it readable.
std::string readable(Seconds time);

}  // namespace echelon
