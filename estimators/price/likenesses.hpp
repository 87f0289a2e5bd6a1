// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"
#include "groups/layout.hpp"

#include <map>
#include <utility>
#include <vector>

namespace echelon {

/// How far from the replay's time the library's collective may be to be taken for that recipe, as a logarithm.
constexpr double least_alike = 0.35;

/// As which recipes the library's own collectives behave: a library is no model, but what it does is mostly in the catalog, and a
/// replay knows what that takes on ranks that were never measured.
class Likenesses {
public:
    explicit Likenesses(const Profile& profile);

    struct Guess {
        Bytes bytes;
        Recipe recipe;
        /// Of the replay's time, and how far off that may be; unlimited: nothing explains it.
        double share, error;
    };
    /// At the measured sizes on both sides of these bytes, or the nearest one, the recipe that explains best what was measured on
    /// ranks like p of so many nodes: those near in number, and in how many a node has, count most.
    std::vector<Guess> around(Collective collective, int p, int nodes, Bytes bytes) const;

private:
    struct Place {
        Place(int of_p, int of_nodes) : p(of_p), nodes(of_nodes) {}
        int p, nodes;
        std::vector<std::pair<Recipe, double>> shares = {};
    };
    Guess best(Bytes bytes, const std::vector<Place>& places, int p, int nodes) const;

    std::map<Collective, std::map<Bytes, std::vector<Place>>> places_;
};

}  // namespace echelon
