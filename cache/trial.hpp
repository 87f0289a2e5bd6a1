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
/// a message; when enough have run, they agree on the times.
class Trial {
public:
    /// The mean of the middle half of a candidate's calls, and how far it may be off.
    struct Time {
        Seconds seconds, error;
        bool operator==(const Time&) const = default;
    };
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
    /// On this rank; those that were dropped take forever.
    std::vector<Time> times() const;
    /// Twice as many calls of each are asked for. False: enough is enough.
    bool go_on();

private:
    struct Lane {
        std::vector<Seconds> seconds = {};
        long calls = 0;
        bool dropped = false;
    };
    std::vector<Recipe> candidates_;
    std::vector<Lane> lanes_;
    long every_, calls_ = 0, next_;
    std::size_t enough_;
    std::size_t challenger_ = 1;
};

/// Which candidate stays, from the times of all ranks: the fastest; the first, which was chosen by what is
/// known, unless another leads clearly, or it is slower than native.
std::size_t winner_of(const std::vector<Recipe>& candidates, const std::vector<Trial::Time>& times);

/// The first, or native if that was faster.
std::size_t native_or_first(const std::vector<Recipe>& candidates, const std::vector<Trial::Time>& times);

/// The winner's lead over the first is more than both may be off.
bool is_sure(const std::vector<Trial::Time>& times, std::size_t winner);

}  // namespace echelon
