// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"

#include <string>

namespace echelon {

/// Text like "3.3 us, 3760 MB/s": time of an empty message and rate of long ones, then the length from which
/// senders wait for their receive.
std::string readable(const Network& network);

}  // namespace echelon
