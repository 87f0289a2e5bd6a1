// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"
#include "groups/layout.hpp"

#include <functional>
#include <map>
#include <optional>
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

    struct Time {
        Seconds seconds;
        /// How far off that may be, as a share.
        double error;
    };
    /// What a replay, or less, says that recipes take on the ranks in question, for the bytes in question; nullopt: nothing.
    using Replayed = std::function<std::optional<Seconds>(const Recipe&)>;
    /// What the library's collective takes on p ranks of so many nodes: by the recipes that explain best what was measured at the sizes on
    /// both sides, or the nearest one, on ranks like these. Nullopt: nothing explains it as well as to within `error`.
    std::optional<Time> operator()(Collective collective, int p, int nodes, Bytes bytes, double error,
                                   const Replayed& replayed) const;

private:
    struct Place {
        Place(int of_p, int of_nodes) : p(of_p), nodes(of_nodes) {}
        int p, nodes;
        std::vector<std::pair<Recipe, double>> shares = {};
    };
    struct Guess {
        Bytes bytes;
        Recipe recipe;
        /// Of the replay's time, and how far off that may be; unlimited: nothing explains it.
        double share, error;
    };
    /// Of places those near in number of ranks, and in how many a node has, count most.
    Guess best(Bytes bytes, const std::vector<Place>& places, int p, int nodes) const;

    std::vector<Guess> around(Collective collective, int p, int nodes, Bytes bytes) const;

    std::map<Collective, std::map<Bytes, std::vector<Place>>> places_;
};

}  // namespace echelon
