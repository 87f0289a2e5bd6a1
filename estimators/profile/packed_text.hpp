// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon {

/// A text compressed by zlib, to be kept or sent. A profile shrinks to a sixth or less; packing takes some
/// milliseconds per megabyte.
class PackedText {
public:
    explicit PackedText(std::string_view text);
    /// The packed text with these `bytes()`.
    static PackedText of(std::string bytes);

    const std::string& bytes() const { return bytes_; }
    /// The text. Error: the bytes are not of a packed text.
    std::string text() const;

private:
    PackedText() = default;
    std::string bytes_;  // the text's length in 8 bytes, then zlib's output
};

}  // namespace echelon
