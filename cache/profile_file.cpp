// SPDX-License-Identifier: Apache-2.0
#include "cache/profile_file.hpp"

#include "core/format.hpp"
#include "groups/placement.hpp"

#include <sstream>

namespace echelon {
namespace {

constexpr char border = '\0';  // in no name of a file

std::uint64_t key_of(const std::string& text) { return node_key(text) >> 2 | 1; }

std::string numbers_of(const Edges& edges) {
    std::string numbers;
    for (const auto& [collective, sizes] : edges)
        for (const Bytes size : sizes) numbers += format(" %d %ju", int(collective), std::uintmax_t(size));
    return numbers;
}

Edges edges_from(std::istream& numbers) {
    Edges edges;
    int collective = 0;
    for (Bytes size = 0; numbers >> collective >> size;) edges[Collective(collective)].push_back(size);
    return edges;
}

}  // namespace

KnownProfile KnownProfile::of(const std::string& text, std::string from) {
    auto profile = std::make_shared<const Profile>(Profile::parse(text));
    return {key_of(text), std::make_shared<const LateProfile>(std::move(profile), text), std::move(from)};
}

std::string KnownProfile::told() const {
    return from + border +
           (profile == nullptr ? ""
                               : std::to_string(key) + ' ' + std::to_string(profile->knows()) +
                                     numbers_of(profile->edges()) + border + profile->text().bytes());
}

KnownProfile KnownProfile::heard(const std::string& told) {
    const auto end_of_name = told.find(border);
    std::string from = told.substr(0, end_of_name);
    const auto end_of_numbers = told.find(border, end_of_name + 1);
    if (end_of_numbers == std::string::npos) return {.from = std::move(from)};
    std::istringstream numbers(told.substr(end_of_name + 1, end_of_numbers - end_of_name - 1));
    std::uint64_t key = 0, knows = 0;
    numbers >> key >> knows;
    Edges edges = edges_from(numbers);
    PackedText text = PackedText::of(told.substr(end_of_numbers + 1));
    return {key, std::make_shared<const LateProfile>(std::move(text), knows, std::move(edges)),
            std::move(from)};
}

}  // namespace echelon
