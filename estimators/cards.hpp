// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/machine.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace echelon {

/// Times of a replay stand on a grid of 2^-46 s (14 fs): sums of costs are exact (up to 128 s), whatever
/// their order, and what ought to happen at the same time does.
inline Seconds on_grid(Seconds time) {
    constexpr double lines_per_second = double(1ull << 46);
    return std::nearbyint(time * lines_per_second) / lines_per_second;
}

/// What the nodes share, their network cards and memories, and the messages that flow through them. A flow
/// gets the least of its own rate and equal shares of what it passes: both cards between nodes, the memory
/// inside one. What it leaves unused is not given to others.
class Cards {
public:
    /// Flows have numbers below `flows`, which the caller gives.
    Cards(const Machine& machine, int p, std::size_t flows);

    /// Whether messages between (inside) nodes flow through something that they share.
    bool shared(bool between) const { return rate(between) < unlimited; }

    /// A message begins to flow from one rank to another.
    void begin(std::uint32_t flow, int from, int to, Bytes bytes, BytesPerSecond own_rate, Seconds now);
    void end(std::uint32_t flow);
    /// Whether a flow that was to end at this time still does.
    bool ends(std::uint32_t flow, Seconds now) const { return flows_[flow].end == now; }

    /// Brings the rates up to date after flows have begun or ended. Calls reschedule(flow, end) for every
    /// flow that will now end at another time.
    template <class Reschedule>
    void settle(Seconds now, Reschedule&& reschedule) {
        for (const std::uint32_t card : changed_) {
            cards_[card].changed = false;
            for (const std::uint32_t flow : cards_[card].flows)
                if (update(flows_[flow], now)) reschedule(flow, flows_[flow].end);
        }
        changed_.clear();
    }

private:
    struct Flow {
        double left = 0;  // bytes, at time `since`
        BytesPerSecond own_rate = 0, rate = 0;
        Seconds since = 0, end = 0;
        std::uint32_t out_card = 0, in_card = 0;
    };
    struct Card {
        BytesPerSecond rate = unlimited;
        std::vector<std::uint32_t> flows = {};
        bool changed = false;
    };

    bool update(Flow& flow, Seconds now);
    void join(std::uint32_t card, std::uint32_t flow);
    void note_change(std::uint32_t card);
    BytesPerSecond rate(bool between) const { return between ? machine_.card : machine_.memory; }
    BytesPerSecond share(std::uint32_t card) const {
        return cards_[card].rate / double(cards_[card].flows.size());
    }

    const Machine& machine_;
    std::vector<Flow> flows_;
    std::vector<Card> cards_;  // leaving node n: 3n, entering it: 3n + 1, inside: 3n + 2
    std::vector<std::uint32_t> changed_;
};

}  // namespace echelon
