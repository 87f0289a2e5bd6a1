// SPDX-License-Identifier: Apache-2.0
#include "groups/placement.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <utility>

#include "core/error.hpp"

namespace echelon {
namespace {

/// Dense numbers for keys, by first appearance.
template <class Key>
class Numbers {
public:
    int operator[](const Key& key) {
        return numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second;
    }
    int count() const { return static_cast<int>(numbers_.size()); }

private:
    std::map<Key, int> numbers_;
};

/// The numbers at one level inside the nodes (a member of Location).
std::vector<int> numbers_inside(std::span<const Location> locations, std::int32_t Location::*level) {
    std::set<std::uint64_t> undivided;  // nodes where some rank does not know
    for (const Location& location : locations)
        if (location.*level < 0) undivided.insert(location.node);

    Numbers<std::pair<std::uint64_t, std::int32_t>> numbers;
    std::vector<int> by_rank;
    by_rank.reserve(locations.size());
    for (const Location& location : locations)
        by_rank.push_back(numbers[{location.node,
                                   undivided.contains(location.node) ? Location::unknown : location.*level}]);
    return by_rank;
}

constexpr std::int32_t longest_ring = 255;

/// "1.0/4.4": (1, 0) in a torus of 4 x 4.
std::string to_string(const TorusPosition& position) {
    std::string at, size;
    for (std::size_t d = 0; d < TorusPosition::most_dimensions && position.size[d] > 0; ++d) {
        if (d > 0) at += '.';
        size += d > 0 ? '.' : '/';
        at += std::to_string(position.at[d]);
        size += std::to_string(position.size[d]);
    }
    return at + size;
}

/// The number between two dots of `word`; Error if it is none.
std::int32_t number_in(std::string_view digits, std::string_view word) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number < 0)
        throw Error("placement '" + std::string(word) + "': '" + std::string(digits) +
                    "' must be a number, as in a.0.1 (node.package.numa.l3)");
    return number;
}

std::vector<std::string_view> between_dots(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto dot = text.find('.');
        parts.push_back(text.substr(0, dot));
        if (dot == std::string_view::npos) return parts;
        text.remove_prefix(dot + 1);
    }
}

/// A site's name, or "1.0/4.4" in a torus.
Region region_in(std::string_view text, std::string_view word) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return {.site = text.empty() ? 0 : node_key(text)};
    const auto at = between_dots(text.substr(0, slash)), size = between_dots(text.substr(slash + 1));
    TorusPosition position;
    bool right = at.size() == size.size() && at.size() <= TorusPosition::most_dimensions;
    for (std::size_t d = 0; right && d < at.size(); ++d) {
        const std::int32_t place = number_in(at[d], word), ring = number_in(size[d], word);
        right = place < ring && ring <= longest_ring;
        position.at[d] = std::uint8_t(place);
        position.size[d] = std::uint8_t(ring);
    }
    if (!right || room(position) > TorusPosition::most_nodes)
        throw Error("placement '" + std::string(word) + "': '" + std::string(text) +
                    "' must be a position in a torus of up to four dimensions, as in 1.0/4.4");
    return {.torus = position};
}

Location location_in(std::string_view word) {
    const auto colon = word.find(':');
    const std::string_view site = word.substr(0, colon == std::string_view::npos ? 0 : colon);
    const auto parts = between_dots(word.substr(colon == std::string_view::npos ? 0 : colon + 1));
    if (parts.size() > 4 || parts[0].empty() || colon == 0)
        throw Error(
            "placement '" + std::string(word) +
            "' must be node, node.package, node.package.numa or node.package.numa.l3, as in a.0.1, or behind a site as in s:a.0.1");
    Location location{.node = node_key(parts[0]), .region = region_in(site, word)};
    if (parts.size() > 1) location.package = number_in(parts[1], word);
    if (parts.size() > 2) location.numa = number_in(parts[2], word);
    if (parts.size() > 3) location.l3 = number_in(parts[3], word);
    return location;
}

/// Of a rank of a placement, in that region.
Location location_of(const Placement& placement, int rank, const Region& region) {
    return {.node = static_cast<std::uint64_t>(placement.node(rank)),
            .package = placement.package(rank),
            .numa = placement.numa(rank),
            .l3 = placement.l3(rank),
            .region = region};
}

}  // namespace

std::uint64_t node_key(std::string_view name) noexcept {
    std::uint64_t key = 14695981039346656037u;
    for (const char letter : name) key = (key ^ static_cast<unsigned char>(letter)) * 1099511628211u;
    return key;
}

Placement Placement::from(std::span<const Location> locations) {
    Placement placement;
    Numbers<std::uint64_t> nodes;
    for (const Location& location : locations) placement.nodes_.push_back(nodes[location.node]);
    placement.packages_ = numbers_inside(locations, &Location::package);
    placement.numas_ = numbers_inside(locations, &Location::numa);
    placement.l3s_ = numbers_inside(locations, &Location::l3);
    placement.node_count_ = nodes.count();
    // A node is where its first rank says.
    const bool known = std::all_of(locations.begin(), locations.end(),
                                   [](const Location& one) { return one.region.site != 0; });
    std::map<int, std::uint64_t> site_of;
    Numbers<std::uint64_t> sites;
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        const auto [site, is_new] =
            site_of.try_emplace(placement.nodes_[rank], known ? locations[rank].region.site : 0);
        if (is_new) placement.torus_.push_back(locations[rank].region.torus);
        placement.sites_.push_back(sites[site->second]);
    }
    placement.site_count_ = std::max(sites.count(), 1);
    const auto in_another = [&](const TorusPosition& one) {
        return !one.known() || one.size != placement.torus_.front().size;
    };
    if (std::ranges::any_of(placement.torus_, in_another)) placement.torus_.clear();
    return placement;
}

std::string to_string(const Placement& placement) {
    std::string text;
    const bool has_l3s = !std::ranges::equal(placement.l3s(), placement.nodes());  // numbered alike if not
    for (int rank = 0; rank < placement.size(); ++rank) {
        if (rank > 0) text += ' ';
        if (placement.site_count() > 1) text += std::to_string(placement.site(rank)) + ':';
        if (!placement.torus().empty()) text += to_string(placement.region(rank).torus) + ':';
        text += std::to_string(placement.node(rank)) + '.' + std::to_string(placement.package(rank)) + '.' +
                std::to_string(placement.numa(rank));
        if (has_l3s) text += '.' + std::to_string(placement.l3(rank));
    }
    return text;
}

Placement Placement::of(std::span<const int> ranks) const {
    std::vector<Location> locations;
    locations.reserve(ranks.size());
    for (const int rank : ranks) locations.push_back(location_of(*this, rank, region(rank)));
    return from(locations);
}

Region Placement::region(int rank) const {
    Region made{.site = static_cast<std::uint64_t>(site(rank)) + 1};
    if (!torus_.empty()) made.torus = torus_[static_cast<std::size_t>(node(rank))];
    return made;
}

Placement Placement::in(std::span<const Region> region_of_node) const {
    std::vector<Location> locations;
    for (int rank = 0; rank < size(); ++rank)
        locations.push_back(location_of(*this, rank, region_of_node[static_cast<std::size_t>(node(rank))]));
    return from(locations);
}

Placement placements(std::string_view words) {
    std::istringstream stream{std::string(words)};
    std::vector<Location> locations;
    for (std::string word; stream >> word;) locations.push_back(location_in(word));
    return Placement::from(locations);
}

std::ostream& operator<<(std::ostream& out, const Placement& placement) {
    return out << to_string(placement);
}

}  // namespace echelon
