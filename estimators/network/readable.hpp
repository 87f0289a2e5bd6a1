// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "estimators/network/units.hpp"

#include <string>

namespace echelon {

/// "1.25 us": a time with the unit that keeps it readable.
std::string readable(Seconds time);

/// "3.3 us, 3760 MB/s": an empty message, and what each byte of long ones adds; and from which length senders wait.
std::string readable(const Network& network);

}  // namespace echelon
