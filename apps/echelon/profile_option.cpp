// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/profile_option.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "estimators/terrain.hpp"

namespace echelon::tool {

std::shared_ptr<const Profile> read_profile(const std::string& path) {
    try {
        return std::make_shared<const Profile>(Profile::parse(read_file(path)));
    } catch (const Error& error) {
        throw Error("profile " + path + ": " + error.what());
    }
}

Placement ranks_on_nodes(int p, int ranks_per_node, const std::string& layout) {
    if (!layout.empty()) {
        Placement placement = placement_of_layout(layout);
        if (p != 0 && placement.size() != p)
            throw Error("layout " + layout + " is of " + std::to_string(placement.size()) +
                        " ranks, not of " + std::to_string(p));
        return placement;
    }
    if (p < 1) throw Error("give the number of ranks: -p 64, or a layout: --layout 16x4");
    if (ranks_per_node < 1) throw Error("--ranks-per-node: expected a number from 1 on");
    std::vector<Seat> seats;
    for (int rank = 0; rank < p; ++rank) seats.push_back({.node = std::uint64_t(rank / ranks_per_node)});
    return Placement::from(seats);
}

Collective parse_collective(const std::string& text) {
    if (const auto collective = collective_named(text)) return *collective;
    throw Error("collective '" + text + "' is unknown; such as allreduce, reduce, bcast, barrier");
}

}  // namespace echelon::tool
