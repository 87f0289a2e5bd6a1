// SPDX-License-Identifier: Apache-2.0
#include "cache/profile_file.hpp"

#include "groups/placement.hpp"

namespace echelon {
namespace {

constexpr char border = '\0';  // in no name of a file

std::uint64_t key_of(const std::string& text) { return node_key(text) >> 2 | 1; }

}  // namespace

KnownProfile KnownProfile::of(std::string text, std::string from) {
    auto profile = std::make_shared<const Profile>(Profile::parse(text));
    const std::uint64_t key = key_of(text);
    return {key, std::make_shared<const LateProfile>(std::move(profile), std::move(text)), std::move(from)};
}

std::string KnownProfile::told() const {
    return from + border +
           (profile == nullptr ? "" : std::to_string(profile->knows()) + border + profile->text());
}

KnownProfile KnownProfile::heard(const std::string& told) {
    const auto end_of_name = told.find(border);
    std::string from = told.substr(0, end_of_name);
    const auto end_of_number = told.find(border, end_of_name + 1);
    if (end_of_number == std::string::npos) return {.from = std::move(from)};
    const std::uint64_t knows = std::stoull(told.substr(end_of_name + 1));
    std::string text = told.substr(end_of_number + 1);
    const std::uint64_t key = key_of(text);
    return {key, std::make_shared<const LateProfile>(std::move(text), knows), std::move(from)};
}

}  // namespace echelon
