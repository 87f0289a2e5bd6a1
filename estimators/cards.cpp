// SPDX-License-Identifier: Apache-2.0
#include "estimators/cards.hpp"

#include <algorithm>

namespace echelon {

Cards::Cards(const Machine& machine, int p, std::size_t flows) : machine_(machine), flows_(flows) {
    int nodes = 0;
    for (int r = 0; r < p; ++r) nodes = std::max(nodes, machine.node(r) + 1);
    for (int n = 0; n < nodes; ++n)
        for (const BytesPerSecond rate : {machine.card, machine.card, machine.memory})
            cards_.push_back({.rate = rate});
}

void Cards::begin(std::uint32_t flow, int from, int to, Bytes bytes, BytesPerSecond own_rate, Seconds now) {
    const int source = machine_.node(from), target = machine_.node(to);
    const auto out = std::uint32_t(3 * source + (source == target ? 2 : 0));
    const auto in = std::uint32_t(3 * target + (source == target ? 2 : 1));
    flows_[flow] = {
        .left = double(bytes), .own_rate = own_rate, .since = now, .end = -1, .out_card = out, .in_card = in};
    join(out, flow);
    if (in != out) join(in, flow);
}

void Cards::end(std::uint32_t flow) {
    flows_[flow].end = -1;
    for (const std::uint32_t card : {flows_[flow].out_card, flows_[flow].in_card}) {
        std::erase(cards_[card].flows, flow);
        note_change(card);
    }
}

bool Cards::update(Flow& flow, Seconds now) {
    const BytesPerSecond rate = std::min({flow.own_rate, share(flow.out_card), share(flow.in_card)});
    if (rate == flow.rate) return false;
    flow.left = std::max(0.0, flow.left - flow.rate * (now - flow.since));
    flow.since = now;
    flow.rate = rate;
    flow.end = std::max(now, on_grid(now + flow.left / rate));
    return true;
}

void Cards::join(std::uint32_t card, std::uint32_t flow) {
    cards_[card].flows.push_back(flow);
    note_change(card);
}

void Cards::note_change(std::uint32_t card) {
    if (cards_[card].changed) return;
    cards_[card].changed = true;
    changed_.push_back(card);
}

}  // namespace echelon
