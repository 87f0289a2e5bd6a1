// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_key.hpp"
#include "core/collective.hpp"
#include "core/units.hpp"
#include "estimators/choice/decide.hpp"
#include "estimators/profile/late_profile.hpp"

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

namespace echelon {

/// A class of calls, which are decided and tried together.
struct CallClass {
    Collective collective;
    bool in_order, exact;
    Bytes size;
    /// Number of edges at or below the size: the place between the rules of a profile.
    int part = 0;
    /// Ranks know only their own blocks: one class has calls of all lengths.
    bool own_lengths = false;

    /// True if each rank waits for all others in these calls. Else some may leave early.
    bool waits_for_all() const { return pattern(collective) == Pattern::to_all && !own_lengths; }
    auto operator<=>(const CallClass&) const = default;
};

/// Maps calls to classes: eight sizes per power of two, cut at the edges of a profile's rules; one for all
/// lengths if ranks know only their own. Equal on all ranks.
class CallClasses {
public:
    CallClasses() = default;
    explicit CallClasses(Edges edges) : edges_(std::move(edges)) {}
    CallClass of(const PlanKey& key) const {
        if (key.own_lengths()) return {key.collective, key.in_order, key.exact, 0, 0, true};
        const Bytes bytes = key.bytes();
        CallClass made{key.collective, key.in_order, key.exact, Decider::size_class(bytes)};
        if (const auto found = edges_.find(key.collective); found != edges_.end())
            made.part = int(std::ranges::upper_bound(found->second, bytes) - found->second.begin());
        return made;
    }
    const Edges& edges() const { return edges_; }

private:
    Edges edges_;
};

}  // namespace echelon
