// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/placement.hpp"

#include <functional>
#include <string>
#include <vector>

namespace echelon {

/// What is worth measuring next, by what was measured so far: for the rank that holds the profile.
class Proposals {
public:
    /// On ranks that sit so, which `layout` says in words. All must outlive it.
    Proposals(const Profile& profile, const Placement& placement, const std::string& layout)
        : profile_(profile), placement_(placement), layout_(layout) {}
    /// For calls of this collective and size from now on.
    void begin(Collective collective, Bytes bytes) {
        collective_ = collective;
        bytes_ = bytes;
    }

    /// The model's best; and what a model of messages one after the other says little about: native parts, and stars, whose
    /// messages some networks carry side by side.
    std::vector<Recipe> shortlist(std::size_t most) const;
    void add_seeds(std::vector<Recipe>& list) const;
    /// The best that were not measured at this size; with `limit` above 0 only those that are expected to
    /// take less.
    std::vector<Recipe> promising(std::size_t most, Seconds limit) const;
    /// What differs in one thing from the fastest of each class, if that is not far from the fastest of all, which takes `best`.
    /// `between`: neighbouring sizes are known.
    std::vector<Recipe> around_the_best(Seconds best, bool between) const;
    /// The fastest few and native, where times are noisy: to be measured again. `affordable`: so many there is time for, if a
    /// call takes so long.
    std::vector<Recipe> fastest(const std::function<double(Seconds)>& affordable) const;

    /// It was measured for such calls, here.
    bool is_here(const Sample& one) const {
        return one.collective == collective_ && one.bytes == bytes_ && one.p == placement_.size() &&
               one.layout == layout_;
    }

private:
    Decider decider() const { return {std::make_shared<const Profile>(profile_), placement_}; }
    bool was_measured(const Recipe& recipe) const;
    void add_seed(std::vector<Recipe>& list, Recipe::Kind shape, const Groups& groups,
                  const char* part) const;

    const Profile& profile_;
    const Placement& placement_;
    const std::string& layout_;
    Collective collective_ = Collective::allreduce;
    Bytes bytes_ = 0;
};

}  // namespace echelon
