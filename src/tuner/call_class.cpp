// SPDX-License-Identifier: Apache-2.0
#include "tuner/call_class.hpp"

#include "estimators/choice/decide.hpp"

#include <algorithm>

namespace echelon {

CallClass CallClasses::of(const PlanKey& key) const {
    if (key.own_lengths()) return {key.collective, key.in_order, key.exact, 0, 0, true};
    const Bytes bytes = key.bytes();
    CallClass made{key.collective, key.in_order, key.exact, Decider::size_class(bytes)};
    if (edges_.empty()) return made;
    if (const auto found = edges_.find(key.collective); found != edges_.end())
        made.part = int(std::ranges::upper_bound(found->second, bytes) - found->second.begin());
    return made;
}

}  // namespace echelon
