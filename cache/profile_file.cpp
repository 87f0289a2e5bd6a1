// SPDX-License-Identifier: Apache-2.0
#include "cache/profile_file.hpp"

#include "groups/placement.hpp"

namespace echelon {

KnownProfile KnownProfile::of(std::string text, std::string from) {
    auto profile = std::make_shared<const Profile>(Profile::parse(text));
    const std::uint64_t key = node_key(text) >> 2 | 1;
    return {key, std::move(text), std::move(profile), std::move(from)};
}

std::string KnownProfile::told() const { return from + '\0' + text; }

KnownProfile KnownProfile::heard(const std::string& told) {
    const auto border = told.find('\0');  // in no name of a file
    std::string from = told.substr(0, border), text = told.substr(border + 1);
    if (text.empty()) return {.from = std::move(from)};
    return of(std::move(text), std::move(from));
}

}  // namespace echelon
