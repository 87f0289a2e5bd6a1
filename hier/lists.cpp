// SPDX-License-Identifier: Apache-2.0
#include "hier/lists.hpp"

#include "core/collective.hpp"
#include "core/error.hpp"
#include "hier/recipe.hpp"

namespace echelon {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\n");
    return first == std::string_view::npos ? ""
                                           : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Cut at each `separator` outside of brackets; empty parts are left out.
std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size()) depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (i < text.size() && (text[i] != separator || depth > 0)) continue;
        if (const auto part = trimmed(text.substr(begin, i - begin)); !part.empty()) parts.emplace_back(part);
        begin = i + 1;
    }
    return parts;
}

}  // namespace

std::string collective_names() {
    std::string names;
    for (const Collective collective : all_collectives)
        names.append(names.empty() ? "" : ", ").append(name(collective));
    return names;
}

std::vector<std::string> split_recipes(std::string_view text) { return split(text, ';'); }

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
