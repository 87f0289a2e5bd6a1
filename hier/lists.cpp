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

std::vector<Bytes> parse_size_list(std::string_view text, const std::string& expected) {
    std::vector<Bytes> sizes;
    const auto wrong = [&](std::string_view part, const std::string& sentence) {
        return Error("'" + std::string(part) + '\'' +
                     (part == text ? "" : " in '" + std::string(text) + '\'') + ": " + sentence + expected);
    };
    for (const std::string& part : split(text, ',')) {
        const auto size = [&](std::string_view word) {
            try {
                return parse_bytes(trimmed(word));
            } catch (const Error&) {
                throw wrong(part, "expected ");
            }
        };
        const auto dots = part.find("..");
        const Bytes first = size(std::string_view(part).substr(0, dots));
        const Bytes last = dots == std::string::npos ? first : size(std::string_view(part).substr(dots + 2));
        if (first > last || (first == 0 && last > 0))
            throw wrong(part, "a range goes upwards from 1 or more; expected ");
        sizes.push_back(first);
        while (sizes.back() != 0 && sizes.back() <= last / 2) sizes.push_back(sizes.back() * 2);
    }
    if (sizes.empty()) throw wrong(text, "expected ");
    return sizes;
}

}  // namespace echelon
