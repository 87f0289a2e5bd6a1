// SPDX-License-Identifier: Apache-2.0
#include "core/units.hpp"

#include "core/error.hpp"
#include "core/format.hpp"

#include <charconv>
#include <limits>
#include <utility>

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

std::string readable(Seconds time) {
    if (time == 0) return "0";
    for (const auto& [unit, name] : {std::pair{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}})
        if (time >= unit * 0.9999) return format("%.4g %s", time / unit, name);
    return format("%.4g ns", time / 1e-9);
}

std::string readable_rate(BytesPerSecond rate) {
    return rate < 9999e6 ? format("%.4g MB/s", 1e-6 * rate) : format("%.4g GB/s", 1e-9 * rate);
}

}  // namespace echelon
