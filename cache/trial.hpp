// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "estimators/units.hpp"
#include "hier/recipe.hpp"

#include <cstddef>
#include <vector>

namespace echelon {

/// Finds out by running calls which of a few recipes is fastest: most calls run the first one, the chosen;
/// one in so many, or less, runs another. Counts alone decide who runs, so that all ranks do the same without
/// a message; once at the end they agree on the times.
class Trial {
public:
    /// `percent` of the calls try others. Requires: two candidates at least, 1 to 50 percent.
    Trial(std::vector<Recipe> candidates, int percent);

    const std::vector<Recipe>& candidates() const { return candidates_; }
    /// Who runs the next call.
    std::size_t next();
    /// What a call took on this rank. The first one of each candidate, which makes what it needs, is not
    /// counted.
    void took(std::size_t candidate, Seconds seconds);
    /// It cannot serve: it is not tried any more.
    void drop(std::size_t candidate) { lanes_[candidate].dropped = true; }
    /// Every candidate has run often enough.
    bool finished() const;
    /// This rank's times, means of the middle halves; those that were dropped take forever.
    std::vector<Seconds> times() const;

private:
    struct Lane {
        std::vector<Seconds> seconds = {};
        long calls = 0;
        bool dropped = false;
    };
    std::vector<Recipe> candidates_;
    std::vector<Lane> lanes_;
    long every_, calls_ = 0, next_;
    std::size_t challenger_ = 1;
};

/// Which candidate stays, from the times of all ranks: the fastest; the first, which was chosen by what is
/// known, unless another leads by more than noise makes, or it is slower than native.
std::size_t winner_of(const std::vector<Recipe>& candidates, const std::vector<Seconds>& times);

}  // namespace echelon
