// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace echelon {

using Bytes = std::size_t;

/// The place of an element: the vector of the collective, the separate input of collectives that do not work
/// in place (alltoall), or the scratch space of a call.
enum class Buffer : std::uint8_t { data, input, scratch };

/// A run of `count` elements of one buffer. An element is one item of the call's datatype, or one byte if the
/// collective only moves data.
struct Slice {
    std::size_t offset = 0;
    std::size_t count = 0;
    Buffer buffer = Buffer::data;

    std::size_t end() const { return offset + count; }
    bool empty() const { return count == 0; }

    /// Elements [from, from + length) of this slice.
    Slice part(std::size_t from, std::size_t length) const { return {offset + from, length, buffer}; }

    bool overlaps(const Slice& other) const {
        return buffer == other.buffer && offset < other.end() && other.offset < end();
    }
    friend bool operator==(const Slice&, const Slice&) = default;
};

/// Position of a received operand: `before` gives received (+) own, `after` gives own (+) received.
enum class Side : std::uint8_t { before, after };

}  // namespace echelon
