// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"
#include "estimators/profile/profile.hpp"
#include "groups/placement.hpp"

#include <functional>
#include <string>
#include <vector>

namespace echelon {

/// A recipe that is to be measured.
struct Proposed {
    Recipe recipe;
    /// What a replay of the whole says that it takes; 0: there was none.
    Seconds replayed = 0;
};

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

    /// The model's best.
    std::vector<Proposed> shortlist(std::size_t most) const;
    /// What the model knows nothing of: native parts.
    std::vector<Recipe> seeds() const;
    /// The best that were not measured at this size; with `limit` above 0 only those that are expected to
    /// take less.
    std::vector<Proposed> promising(std::size_t most, Seconds limit) const;
    /// The fastest at the nearest sizes that were measured, a shorter and a longer one, where they were not measured at this: between two
    /// sizes only that is known well which was measured at both.
    std::vector<Recipe> fastest_beside() const;
    /// What differs in one thing from the fastest, the most promising first, of as many as are priced by `deadline` (0: of all). `between`:
    /// neighbouring sizes are known.
    std::vector<Recipe> around_the_best(bool between, double deadline) const;
    /// The fastest few and native, where times are noisy: to be measured again. `affordable`: so many there is time for, if a
    /// call takes so long.
    std::vector<Recipe> fastest(const std::function<double(Seconds)>& affordable) const;

    /// It was measured for such calls, here.
    bool is_here(const Sample& one) const { return is_like_here(one) && one.bytes == bytes_; }

private:
    Decider decider() const { return {std::make_shared<const Profile>(profile_), placement_}; }
    bool was_measured(const Recipe& recipe) const;
    bool can_serve(const Recipe& recipe) const;
    /// The same at any size.
    bool is_like_here(const Sample& one) const {
        return one.collective == collective_ && one.p == placement_.size() && one.layout == layout_;
    }
    /// Of ours; nullptr: none was measured.
    const Sample* fastest_at(Bytes bytes) const;

    const Profile& profile_;
    const Placement& placement_;
    const std::string& layout_;
    Collective collective_ = Collective::allreduce;
    Bytes bytes_ = 0;
};

}  // namespace echelon
