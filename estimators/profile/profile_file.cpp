// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/profile_file.hpp"

#include "core/wire.hpp"
#include "groups/placement.hpp"

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace echelon {
namespace {

std::uint64_t key_of(const std::string& text) { return node_key(text) >> 2 | 1; }

void put(std::string& text, const Edges& edges) {
    put_number(text, edges.size());
    for (const auto& [collective, sizes] : edges) {
        put_number(text, std::uint64_t(collective));
        put_number(text, sizes.size());
        for (const Bytes size : sizes) put_number(text, size);
    }
}

Edges take_edges(std::string_view& text) {
    Edges edges;
    for (std::uint64_t left = take_number(text); left > 0; --left) {
        std::vector<Bytes>& sizes = edges[Collective(take_number(text))];
        for (std::uint64_t more = take_number(text); more > 0; --more) sizes.push_back(take_number(text));
    }
    return edges;
}

void put(std::string& text, const std::vector<Inhabitants>& regions) {
    put_number(text, regions.size());
    for (const auto& [region, hosts] : regions) {
        for (const std::uint64_t number :
             {region.site, region.leaf_switch, std::bit_cast<std::uint64_t>(region.torus)})
            put_number(text, number);
        put_number(text, hosts.size());
        for (const std::string& host : hosts) put_word(text, host);
    }
}

std::vector<Inhabitants> take_regions(std::string_view& text) {
    std::vector<Inhabitants> regions(take_number(text));
    for (auto& [region, hosts] : regions) {
        region.site = take_number(text);
        region.leaf_switch = take_number(text);
        region.torus = std::bit_cast<TorusPosition>(take_number(text));
        for (std::uint64_t left = take_number(text); left > 0; --left) hosts.push_back(take_word(text));
    }
    return regions;
}

}  // namespace

KnownProfile KnownProfile::of(const std::string& text, std::string from) {
    auto profile = std::make_shared<const Profile>(Profile::parse(text));
    return {key_of(text), std::make_shared<const LateProfile>(std::move(profile), text), std::move(from)};
}

std::string KnownProfile::told() const {
    std::string text;
    put_word(text, from);
    if (profile == nullptr) return text;
    put_number(text, key);
    put_number(text, profile->knows());
    put(text, profile->edges());
    put(text, profile->regions());
    return text + profile->text().bytes();
}

KnownProfile KnownProfile::heard(std::string_view told) {
    KnownProfile known{.from = take_word(told)};
    if (told.empty()) return known;
    known.key = take_number(told);
    const std::uint64_t knows = take_number(told);
    Edges edges = take_edges(told);
    std::vector<Inhabitants> regions = take_regions(told);
    known.profile = std::make_shared<const LateProfile>(PackedText::of(std::string(told)), knows,
                                                        std::move(edges), std::move(regions));
    return known;
}

}  // namespace echelon
