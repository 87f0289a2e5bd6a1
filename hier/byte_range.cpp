// SPDX-License-Identifier: Apache-2.0
#include "hier/byte_range.hpp"

#include "core/error.hpp"
#include "hier/recipe.hpp"

namespace echelon {

ByteRange ByteRange::parse(std::string_view text) {
    const auto dash = text.find('-');
    if (dash == std::string_view::npos || dash == 0)
        throw Error("sizes '" + std::string(text) +
                    "': expected a range such as 0-4K, or 4K- without an upper end");
    ByteRange range{.from = parse_bytes(text.substr(0, dash))};
    if (dash + 1 < text.size()) range.to = parse_bytes(text.substr(dash + 1));
    if (range.from > range.to)
        throw Error("sizes '" + std::string(text) + "': the end is below the beginning");
    return range;
}

std::string to_string(const ByteRange& range) {
    return format_bytes(range.from) + '-' + (range.to == ByteRange{}.to ? "" : format_bytes(range.to));
}

}  // namespace echelon
