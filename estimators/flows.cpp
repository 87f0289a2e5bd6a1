// SPDX-License-Identifier: Apache-2.0
#include "estimators/flows.hpp"

#include "estimators/cards.hpp"

#include <algorithm>

namespace echelon {

void Flows::begin(Id message, Seconds alone, std::span<const Use> uses, Seconds now) {
    if (free_.empty()) {
        free_.push_back(std::uint32_t(flows_.size()));
        flows_.emplace_back();
    }
    const std::uint32_t at = free_.back();
    free_.pop_back();
    place_[message] = at;
    Flow& flow = flows_[at];
    std::vector<Use> kept = std::move(flow.uses);
    kept.assign(uses.begin(), uses.end());
    flow = {.message = message, .alone = alone, .uses = std::move(kept), .since = now};
    for (const Use& use : uses) {
        of_resource_[use.resource].push_back(at);
        changed_.push_back(use.resource);
    }
}

bool Flows::share(Flow& flow, Seconds now) {
    Seconds whole = flow.alone;
    for (const Use& use : flow.uses)
        whole = std::max(whole, double(of_resource_[use.resource].size()) * use.alone);
    flow.settled = round_;
    if (whole == flow.whole) return false;
    if (flow.whole > 0) flow.left = std::max(0.0, flow.left - (now - flow.since) / flow.whole);
    flow.since = now;
    flow.whole = whole;
    flow.end = on_grid(now + flow.left * whole);
    return true;
}

bool Flows::end(Id message, Seconds now) {
    const std::uint32_t at = place_[message];
    if (at == none || flows_[at].end != now) return false;
    for (const Use& use : flows_[at].uses) {
        auto& others = of_resource_[use.resource];
        others.erase(std::find(others.begin(), others.end(), at));
        changed_.push_back(use.resource);
    }
    place_[message] = none;
    free_.push_back(at);
    return true;
}

}  // namespace echelon
