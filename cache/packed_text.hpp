// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace echelon {

/// A text that is kept, or sent, for those who may read it some time: by zlib, which makes a sixth to a tenth of a profile, some
/// milliseconds for each megabyte.
class PackedText {
public:
    explicit PackedText(std::string_view text);
    /// Bytes as `bytes()` gave them.
    static PackedText of(std::string bytes);

    const std::string& bytes() const { return bytes_; }
    /// Error: these are no bytes of a packed text.
    std::string text() const;

private:
    PackedText() = default;
    std::string bytes_;  // the text's length in 8 bytes, and what zlib made of it
};

}  // namespace echelon
