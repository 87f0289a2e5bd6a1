// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan_key.hpp"
#include "core/collective.hpp"
#include "core/units.hpp"

#include <compare>
#include <map>
#include <utility>
#include <vector>

namespace echelon {

/// Sizes at which what a user has written begins or ends to hold, ascending.
using Edges = std::map<Collective, std::vector<Bytes>>;

/// Calls that are decided, and tried, together.
struct CallClass {
    Collective collective;
    bool in_order, exact;
    Bytes size;
    /// Between which of the edges.
    int part = 0;
    auto operator<=>(const CallClass&) const = default;
};

/// Which calls are of one class: eight sizes to each power of two, cut where a profile's rules begin or end. The same on all ranks.
class CallClasses {
public:
    CallClasses() = default;
    explicit CallClasses(Edges edges) : edges_(std::move(edges)) {}
    CallClass of(const PlanKey& key) const;
    const Edges& edges() const { return edges_; }

private:
    Edges edges_;
};

}  // namespace echelon
