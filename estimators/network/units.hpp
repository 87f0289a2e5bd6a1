// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

namespace echelon {

using Seconds = double;
using SecondsPerByte = double;
using BytesPerSecond = double;

}  // namespace echelon
