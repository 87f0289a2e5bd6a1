// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <limits>
#include <string>
#include <string_view>

namespace echelon {

/// A range of sizes, both ends included.
struct ByteRange {
    Bytes from = 0;
    Bytes to = std::numeric_limits<Bytes>::max();

    bool contains(Bytes bytes) const { return from <= bytes && bytes <= to; }
    friend bool operator==(const ByteRange&, const ByteRange&) = default;

    /// `4K-64K`, or `4K-` without an upper end. Error: anything else, an empty range.
    static ByteRange parse(std::string_view text);
};

std::string to_string(const ByteRange& range);

}  // namespace echelon
