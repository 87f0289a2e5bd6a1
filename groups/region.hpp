// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groups/torus.hpp"

#include <string>
#include <vector>

namespace echelon {

/// Where in the network a node is. Plain bytes.
struct Region {
    std::uint64_t site = 0;    ///< Equal for nodes near each other, e.g. `node_key(name)`; 0: unknown.
    TorusPosition torus = {};  ///< Not known, or one in the same torus as the others.

    bool known() const noexcept { return site != 0 || torus.known(); }
    friend bool operator==(const Region&, const Region&) = default;
};

/// The names of the hosts there.
struct Inhabitants {
    Region region = {};
    std::vector<std::string> hosts = {};

    friend bool operator==(const Inhabitants&, const Inhabitants&) = default;
};

}  // namespace echelon
