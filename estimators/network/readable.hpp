// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"

#include <string>

namespace echelon {

/// "3.3 us, 3760 MB/s": an empty message, and what each byte of long ones adds; and from which length senders wait.
std::string readable(const Network& network);

}  // namespace echelon
