// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/units.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echelon {

/// Messages that are carried side by side: each resource (port, card, memory) gives every message that passes it an
/// equal part, as connections share a link. What a message cannot use of its part, because another resource is
/// narrower, nobody gets: less than the max-min share, and found by looking at its own resources alone.
class Flows {
public:
    using Id = std::uint32_t;

    /// A resource that a message passes, and what it would take there alone.
    struct Use {
        std::uint32_t resource;
        Seconds alone;
    };

    Flows(std::size_t resources, std::size_t messages) : of_resource_(resources), place_(messages, none) {}

    /// A message that takes `alone` where nothing is shared.
    void begin(Id message, Seconds alone, std::span<const Use> uses, Seconds now);
    /// How many pass a resource.
    std::size_t count(std::size_t resource) const { return of_resource_[resource].size(); }

    /// After all that begins and ends at a point of time: `ends(message, time)` for each whose end is another than
    /// before.
    template <class Ends>
    void settle(Seconds now, Ends&& ends) {
        ++round_;
        for (const std::uint32_t resource : changed_)
            for (const std::uint32_t at : of_resource_[resource])
                if (flows_[at].settled != round_ && share(flows_[at], now))
                    ends(flows_[at].message, flows_[at].end);
        changed_.clear();
    }

    /// Whether the message ends now, as was said last. Then it is gone.
    bool end(Id message, Seconds now);

private:
    static constexpr std::uint32_t none = ~std::uint32_t(0);

    struct Flow {
        Id message = 0;
        Seconds alone = 0;
        std::vector<Use> uses = {};
        /// Of the message what is left since then, and what the whole of it takes now.
        double left = 1;
        Seconds since = 0, whole = -1, end = 0;
        std::uint32_t settled = 0;  // the last time
    };
    /// Whether its end changes.
    bool share(Flow& flow, Seconds now);

    std::vector<Flow> flows_;  // also places that are free
    std::vector<std::uint32_t> free_, changed_;
    std::uint32_t round_ = 0;
    std::vector<std::vector<std::uint32_t>> of_resource_;
    std::vector<std::uint32_t> place_;  // by message
};

}  // namespace echelon
