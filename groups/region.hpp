// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/torus.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// Levels of the network above the node. (`switch` is a word of C++: code says leaf switch.)
enum class Level : std::uint8_t { leaf_switch, site };
/// The nearest first: a switch belongs to one site.
inline constexpr std::array all_levels{Level::leaf_switch, Level::site};

/// The name in layouts and profiles.
constexpr std::string_view plural(Level level) { return level == Level::leaf_switch ? "switches" : "sites"; }

/// The place of a node in the network. Plain bytes.
struct Region {
    std::uint64_t site = 0;         ///< Equal for nodes near each other, e.g. `node_key(name)`; 0: unknown.
    std::uint64_t leaf_switch = 0;  ///< Equal for nodes on one switch of a site; 0: unknown.
    TorusPosition torus = {};       ///< Unknown, or a position in the same torus as the others.

    std::uint64_t& at(Level level) { return level == Level::leaf_switch ? leaf_switch : site; }
    std::uint64_t at(Level level) const { return level == Level::leaf_switch ? leaf_switch : site; }
    bool known() const noexcept { return site != 0 || leaf_switch != 0 || torus.known(); }
    friend bool operator==(const Region&, const Region&) = default;
};

/// The region that was told, completed by the region that was found. A site that was told excludes a torus.
constexpr Region completed(Region told, const Region& found) {
    if (told.leaf_switch == 0) told.leaf_switch = found.leaf_switch;
    if (told.site != 0) return told;
    told.site = found.site;
    told.torus = found.torus;
    return told;
}

/// A region and the names of its hosts.
struct Inhabitants {
    Region region = {};
    std::vector<std::string> hosts = {};

    friend bool operator==(const Inhabitants&, const Inhabitants&) = default;
};

}  // namespace echelon
