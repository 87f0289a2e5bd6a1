// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/flows.hpp"

#include "estimators/simulator/shared_links.hpp"

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
    begun_.push_back(at);
    for (const Use& use : uses) resources_[use.resource].flows.push_back(at);
    change(flow);
}

void Flows::change(const Flow& flow) {
    for (const Use& use : flow.uses)
        if (!std::exchange(resources_[use.resource].changed, true)) changed_.push_back(use.resource);
}

void Flows::share(Flow& flow, Seconds now) {
    if (flow.settled == round_) return;
    flow.settled = round_;
    Seconds whole = flow.alone;
    for (const Use& use : flow.uses) whole = std::max(whole, double(count(use.resource)) * use.alone);
    if (whole == flow.whole) return;
    if (flow.whole > 0) flow.left = std::max(0.0, flow.left - (now - flow.since) / flow.whole);
    flow.since = now;
    flow.whole = whole;
    flow.end = on_grid(now + flow.left * whole);
    move(flow);
}

void Flows::share_anew(Resource& resource, Seconds now) {
    resource.changed = false;
    if (!resource.parts_are_old()) return;
    resource.shared_by = resource.flows.size();
    for (const std::uint32_t at : resource.flows) share(flows_[at], now);
}

Flows::Flow* Flows::first_of(Resource& resource) {
    resource.moved = false;
    Flow* first = nullptr;
    for (const std::uint32_t at : resource.flows)
        if (first == nullptr || flows_[at].end < first->end) first = &flows_[at];
    return first;
}

bool Flows::end(Id message, Seconds now) {
    const std::uint32_t at = place_[message];
    if (at == none || flows_[at].called != now) return false;
    Flow& flow = flows_[at];
    // If its end has moved on, another message may be the first.
    flow.called = never;
    move(flow);
    if (flow.end != now) return false;
    change(flow);
    for (const Use& use : flow.uses) {
        auto& others = resources_[use.resource].flows;
        others.erase(std::find(others.begin(), others.end(), at));
    }
    place_[message] = none;
    free_.push_back(at);
    return true;
}

}  // namespace echelon
