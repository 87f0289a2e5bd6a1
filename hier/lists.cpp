// SPDX-License-Identifier: Apache-2.0
#include "hier/lists.hpp"

#include "core/error.hpp"
#include "core/spelling.hpp"
#include "core/words.hpp"
#include "hier/recipe.hpp"

namespace echelon {
std::vector<std::string> collective_names() {
    std::vector<std::string> names;
    for (const Collective collective : all_collectives) names.emplace_back(name(collective));
    return names;
}

Collective parse_collective(std::string_view text) {
    if (const auto collective = collective_named(text)) return *collective;
    throw Error("collective " + is_none_of(text, collective_names()));
}

std::vector<Bytes> parse_size_list(std::string_view text) {
    std::vector<Bytes> sizes;
    for (const std::string& part : split(text, ',')) {
        const auto dots = part.find("..");
        const Bytes first = parse_bytes(trimmed(std::string_view(part).substr(0, dots)));
        const Bytes last =
            dots == std::string::npos ? first : parse_bytes(trimmed(std::string_view(part).substr(dots + 2)));
        if (first > last || (first == 0 && last > 0))
            throw Error("'" + part + "': a range goes upwards from a size above 0");
        sizes.push_back(first);
        while (sizes.back() != 0 && sizes.back() <= last / 2) sizes.push_back(sizes.back() * 2);
    }
    if (sizes.empty()) throw Error("expected sizes such as 8,1K,64K");
    return sizes;
}

}  // namespace echelon
