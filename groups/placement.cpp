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
    std::set<std::uint64_t> undivided;  // nodes with a rank that does not know its place
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

/// The number between two dots of `word`. Error: it is none.
std::int32_t number_in(std::string_view digits, std::string_view word) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number < 0)
        throw Error("placement '" + std::string(word) + "': '" + std::string(digits) +
                    "' must be a number, as in a.0.1 (node.package.numa.l3)");
    return number;
}

std::vector<std::string_view> between(char sign, std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto at = text.find(sign);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

/// The region of a text: a site's name, a position in a torus like "1.0/4.4", or empty.
Region region_in(std::string_view text, std::string_view word) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return {.site = text.empty() ? 0 : node_key(text)};
    const auto at = between('.', text.substr(0, slash)), size = between('.', text.substr(slash + 1));
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
    const auto places = between(':', word);  // the site, the switch and the node, or fewer
    const auto parts = between('.', places.back());
    const bool has_switch = places.size() == 3;
    if (places.size() > 3 || parts.size() > 4 || parts[0].empty() || (has_switch && places[1].empty()) ||
        (places.size() == 2 && places[0].empty()))
        throw Error(
            "placement '" + std::string(word) +
            "' must be node, node.package, node.package.numa or node.package.numa.l3, as in a.0.1, or behind a site as in s:a.0.1, "
            "or behind a site and a switch as in s:w:a.0.1");
    Location location{.node = node_key(parts[0])};
    if (places.size() > 1) location.region = region_in(places[0], word);
    if (has_switch) location.region.leaf_switch = node_key(places[1]);
    if (parts.size() > 1) location.package = number_in(parts[1], word);
    if (parts.size() > 2) location.numa = number_in(parts[2], word);
    if (parts.size() > 3) location.l3 = number_in(parts[3], word);
    return location;
}

/// The location of a rank of a placement, in another region.
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
    // The first rank of a node determines its region.
    Region known{.site = 1, .leaf_switch = 1};  // known to all ranks
    for (const Location& one : locations)
        for (const Level level : all_levels) known.at(level) &= std::uint64_t(one.region.at(level) != 0);
    std::vector<std::pair<int, int>> of_node;  // site, switch
    Numbers<std::uint64_t> sites;
    Numbers<std::pair<int, std::uint64_t>> switches;
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        const auto node = static_cast<std::size_t>(placement.nodes_[rank]);
        if (node == of_node.size()) {
            const Region& told = locations[rank].region;
            const int site = sites[known.site * told.site];
            of_node.emplace_back(site, switches[{site, known.leaf_switch * told.leaf_switch}]);
            placement.torus_.push_back(told.torus);
        }
        placement.sites_.push_back(of_node[node].first);
        placement.switches_.push_back(of_node[node].second);
    }
    placement.site_count_ = std::max(sites.count(), 1);
    placement.switch_count_ = std::max(switches.count(), 1);
    const auto in_another = [&](const TorusPosition& one) {
        return !one.known() || one.size != placement.torus_.front().size;
    };
    if (std::ranges::any_of(placement.torus_, in_another)) placement.torus_.clear();
    return placement;
}

std::string to_string(const Placement& placement) {
    std::string text;
    const bool has_l3s = !std::ranges::equal(placement.l3s(), placement.nodes());  // else equal numbers
    for (int rank = 0; rank < placement.size(); ++rank) {
        if (rank > 0) text += ' ';
        const bool has_switches = placement.knows(Level::leaf_switch),
                   is_in_torus = !placement.torus().empty();
        if (placement.knows(Level::site)) text += std::to_string(placement.site(rank)) + ':';
        if (is_in_torus) text += to_string(placement.region(rank).torus) + ':';
        if (has_switches && !placement.knows(Level::site) && !is_in_torus) text += ':';
        if (has_switches) text += std::to_string(placement.leaf_switch(rank)) + ':';
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
    if (knows(Level::leaf_switch)) made.leaf_switch = static_cast<std::uint64_t>(leaf_switch(rank)) + 1;
    if (!torus_.empty()) made.torus = torus_[static_cast<std::size_t>(node(rank))];
    return made;
}

Placement Placement::in(std::span<const Region> region_of_node) const {
    std::vector<Location> locations;
    for (int rank = 0; rank < size(); ++rank)
        locations.push_back(location_of(*this, rank, region_of_node[static_cast<std::size_t>(node(rank))]));
    return from(locations);
}

Placement Placement::without_switches() const {
    Placement made = *this;
    made.switches_ = sites_;
    made.switch_count_ = site_count_;
    return made;
}

std::vector<int> Placement::by_node(Level level) const {
    const std::vector<int>& numbers = level == Level::site ? sites_ : switches_;
    std::vector<int> made(static_cast<std::size_t>(node_count_));
    for (std::size_t rank = 0; rank < nodes_.size(); ++rank)
        made[static_cast<std::size_t>(nodes_[rank])] = numbers[rank];
    return made;
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
