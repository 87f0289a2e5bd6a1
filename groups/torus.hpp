// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace echelon {

/// The position of a node in a torus: a grid in which each node has links to its neighbours in each
/// dimension, and the last node a link to the first. A mesh, whose ends have no link, is a torus with rings
/// too long to go round. Plain bytes.
struct TorusPosition {
    static constexpr std::size_t most_dimensions = 4, most_nodes = 4096;

    std::array<std::uint8_t, most_dimensions> at = {};
    /// Lengths of the rings; 0: neither this dimension nor any after it exists.
    std::array<std::uint8_t, most_dimensions> size = {};

    bool known() const noexcept { return size[0] > 0; }
    /// Signed distance along a ring, the shorter way; negative: backwards. At half a ring the sign of the
    /// index difference decides; traffic then uses both directions.
    int step(std::size_t dimension, const TorusPosition& to) const noexcept {
        const int ring = size[dimension], way = int(to.at[dimension]) - int(at[dimension]);
        return 2 * way > ring ? way - ring : 2 * way < -ring ? way + ring : way;
    }

    friend auto operator<=>(const TorusPosition&, const TorusPosition&) = default;
};

/// Number of links between two nodes.
inline int hops(const TorusPosition& from, const TorusPosition& to) noexcept {
    int links = 0;
    for (std::size_t d = 0; d < TorusPosition::most_dimensions; ++d) links += std::abs(from.step(d, to));
    return links;
}

/// Number of nodes of the torus.
inline std::size_t room(const TorusPosition& any) noexcept {
    std::size_t nodes = 1;
    for (const std::uint8_t ring : any.size) nodes *= std::max<std::size_t>(ring, 1);
    return nodes;
}

/// An upper bound of the link numbers of `visit_links`.
inline std::size_t link_count(const TorusPosition& any) noexcept {
    return 2 * TorusPosition::most_dimensions * room(any);
}

/// Visits the numbers of the links that a message takes, in this order, dimension by dimension. Each
/// direction of a link has a number of its own.
template <class Visit>
void visit_links(TorusPosition from, const TorusPosition& to, Visit&& visit) {
    for (std::size_t d = 0; d < TorusPosition::most_dimensions; ++d)
        for (int step = from.step(d, to); step != 0; step += step < 0 ? 1 : -1) {
            std::size_t node = 0;
            for (std::size_t i = TorusPosition::most_dimensions; i-- > 0;)
                node = node * std::max<std::size_t>(from.size[i], 1) + from.at[i];
            visit(2 * (TorusPosition::most_dimensions * node + d) + (step < 0 ? 1 : 0));
            from.at[d] = std::uint8_t((from.at[d] + from.size[d] + (step < 0 ? -1 : 1)) % from.size[d]);
        }
}

}  // namespace echelon
