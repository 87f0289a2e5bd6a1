// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/profile_file.hpp"

#include "core/format.hpp"
#include "groups/placement.hpp"

#include <bit>
#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

namespace echelon {
namespace {

constexpr char border = '\0';  // no file name has it

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

/// One line for each region.
std::string lines_of(const std::vector<Inhabitants>& regions) {
    std::string lines;
    for (const auto& [region, hosts] : regions) {
        lines += format("%ju %ju %ju", std::uintmax_t(region.site), std::uintmax_t(region.leaf_switch),
                        std::uintmax_t(std::bit_cast<std::uint64_t>(region.torus)));
        for (const std::string& host : hosts) lines += ' ' + host;
        lines += '\n';
    }
    return lines;
}

std::vector<Inhabitants> regions_from(const std::string& text) {
    std::vector<Inhabitants> regions;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        Inhabitants one;
        std::uint64_t torus = 0;
        words >> one.region.site >> one.region.leaf_switch >> torus;
        one.region.torus = std::bit_cast<TorusPosition>(torus);
        for (std::string host; words >> host;) one.hosts.push_back(host);
        regions.push_back(std::move(one));
    }
    return regions;
}

}  // namespace

KnownProfile KnownProfile::of(const std::string& text, std::string from) {
    auto profile = std::make_shared<const Profile>(Profile::parse(text));
    return {key_of(text), std::make_shared<const LateProfile>(std::move(profile), text), std::move(from)};
}

std::string KnownProfile::told() const {
    if (profile == nullptr) return from + border;
    return from + border + std::to_string(key) + ' ' + std::to_string(profile->knows()) +
           numbers_of(profile->edges()) + border + lines_of(profile->regions()) + border +
           profile->text().bytes();
}

KnownProfile KnownProfile::heard(const std::string& told) {
    const auto end_of_name = told.find(border);
    std::string from = told.substr(0, end_of_name);
    const auto end_of_numbers = told.find(border, end_of_name + 1);
    if (end_of_numbers == std::string::npos) return {.from = std::move(from)};
    const auto end_of_regions = told.find(border, end_of_numbers + 1);
    std::istringstream numbers(told.substr(end_of_name + 1, end_of_numbers - end_of_name - 1));
    std::uint64_t key = 0, knows = 0;
    numbers >> key >> knows;
    Edges edges = edges_from(numbers);
    std::vector<Inhabitants> regions =
        regions_from(told.substr(end_of_numbers + 1, end_of_regions - end_of_numbers - 1));
    PackedText text = PackedText::of(told.substr(end_of_regions + 1));
    return {key,
            std::make_shared<const LateProfile>(std::move(text), knows, std::move(edges), std::move(regions)),
            std::move(from)};
}

}  // namespace echelon
