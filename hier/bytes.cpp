// SPDX-License-Identifier: Apache-2.0
#include "core/error.hpp"
#include "hier/recipe.hpp"

#include <charconv>
#include <limits>

namespace echelon {

Bytes parse_bytes(std::string_view text) {
    const auto wrong = [&] {
        return Error("size '" + std::string(text) +
                     "': expected a number of bytes such as 512, 32K, 1M or 2G");
    };
    Bytes number = 0;
    const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc()) throw wrong();
    const std::string_view unit(rest, std::size_t(text.data() + text.size() - rest));
    int shift = 0;
    if (unit == "K" || unit == "k")
        shift = 10;
    else if (unit == "M" || unit == "m")
        shift = 20;
    else if (unit == "G" || unit == "g")
        shift = 30;
    else if (!unit.empty())
        throw wrong();
    if (number > std::numeric_limits<Bytes>::max() >> shift) throw wrong();
    return number << shift;
}

std::string format_bytes(Bytes bytes) {
    for (const auto& [shift, unit] : {std::pair{30, "G"}, std::pair{20, "M"}, std::pair{10, "K"}})
        if (bytes != 0 && (bytes >> shift << shift) == bytes) return std::to_string(bytes >> shift) + unit;
    return std::to_string(bytes);
}

}  // namespace echelon
