// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <string>
#include <string_view>

namespace echelon {

using Seconds = double;
using SecondsPerByte = double;
using BytesPerSecond = double;

/// A size in the usual notation: `8`, `32K`, `1M`, `2G` (powers of 1024). format_bytes() returns the shortest
/// exact form. Error: not a size, or beyond 64 bits.
Bytes parse_bytes(std::string_view text);
std::string format_bytes(Bytes bytes);

/// "1.25 us": a time with the unit that keeps it readable.
std::string readable(Seconds time);
/// "3760 MB/s": a rate with the unit that keeps it readable, in powers of 1000.
std::string readable_rate(BytesPerSecond rate);

}  // namespace echelon
