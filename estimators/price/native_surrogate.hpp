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

/// Largest natural logarithm of (time of the native collective / replayed time of a recipe) at which the
/// recipe counts as its surrogate.
constexpr double least_alike = 0.35;

/// Recipes that serve as surrogates of the native collectives. A library has no model, but its algorithms are
/// mostly in the catalog, and a replay gives their time on ranks that were never measured.
class Likenesses {
public:
    explicit Likenesses(const Profile& profile);

    struct Time {
        Seconds seconds;
        /// Estimated relative error of `seconds`.
        double error;
    };
    /// Time of a recipe on the ranks and bytes in question, by replay or by a sum of phases; empty if
    /// unknown.
    using Replayed = std::function<std::optional<Seconds>(const Recipe&)>;
    /// Time of the native collective on p ranks of `nodes` nodes. It is the time of the surrogates that best
    /// explain the measurements on similar ranks, at the sizes below and above, or at the nearest size. Empty
    /// if no surrogate has an error below `error`.
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
        /// Native time relative to the replayed time, and its relative error; `unlimited` if no recipe
        /// explains the measurements.
        double share, error;
    };
    /// The best surrogate at one size. Places with a similar number of ranks, and of ranks per node, count
    /// most.
    Guess best(Bytes bytes, const std::vector<Place>& places, int p, int nodes) const;

    std::vector<Guess> around(Collective collective, int p, int nodes, Bytes bytes) const;

    std::map<Collective, std::map<Bytes, std::vector<Place>>> places_;
};

}  // namespace echelon
