// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/placement.hpp"

#include <functional>
#include <string>
#include <vector>

namespace echelon {

/// A recipe to be measured.
struct Proposed {
    Recipe recipe;
    /// Time by a replay of the whole; 0 if there was none.
    Seconds replayed = 0;
};

/// Proposes the recipes to measure next, by the measurements in the profile. For the rank that holds the
/// profile.
class Proposals {
public:
    /// `layout` describes `placement` in words. All arguments must outlive this object.
    Proposals(const Profile& profile, const Placement& placement, const std::string& layout)
        : profile_(profile), placement_(placement), layout_(layout) {}
    /// Sets the collective and size of all further proposals.
    void begin(Collective collective, Bytes bytes) {
        collective_ = collective;
        bytes_ = bytes;
    }

    /// The best recipes by the model.
    std::vector<Proposed> shortlist(std::size_t most) const;
    /// Recipes with native parts, which the model cannot price.
    std::vector<Recipe> seeds() const;
    /// The best recipes not yet measured at this size; with `limit` above 0, only recipes expected to take
    /// less. One of them has no native parts, if any recipe has none: the measured time of a recipe with a
    /// price shows how right the model is.
    std::vector<Proposed> promising(std::size_t most, Seconds limit) const;
    /// The fastest recipes of the nearest shorter and longer measured sizes that were not measured at this
    /// size: a time between two sizes is well known only if it was measured at both.
    std::vector<Recipe> fastest_beside() const;
    /// Recipes that differ in one thing from the fastest, the most promising first, among as many as can be
    /// priced until `deadline` (0: among all). `between`: neighbouring sizes are measured.
    std::vector<Recipe> around_the_best(bool between, double deadline) const;
    /// The fastest few and native if times are noisy, to be measured again. `affordable` returns the number
    /// of recipes for which there is time, by the time of a call.
    std::vector<Recipe> fastest(const std::function<double(Seconds)>& affordable) const;

    /// True if the sample is of this cell on these ranks.
    bool is_here(const Sample& one) const { return is_like_here(one) && one.bytes == bytes_; }

private:
    Decider decider() const { return {std::make_shared<const Profile>(profile_), placement_}; }
    bool was_measured(const Recipe& recipe) const;
    bool can_serve(const Recipe& recipe) const;
    /// Like is_here(), at any size.
    bool is_like_here(const Sample& one) const {
        return one.collective == collective_ && one.p == placement_.size() && one.layout == layout_;
    }
    /// Fastest of Echelon's own recipes at a size; nullptr if none was measured.
    const Sample* fastest_at(Bytes bytes) const;

    const Profile& profile_;
    const Placement& placement_;
    const std::string& layout_;
    Collective collective_ = Collective::allreduce;
    Bytes bytes_ = 0;
};

}  // namespace echelon
