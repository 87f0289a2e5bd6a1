// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace echelon {

/// Messages that are carried side by side: each resource (port, card, memory) gives every message that passes it an
/// equal part, as connections share a link. What a message cannot use of its part, because another resource is
/// narrower, nobody gets: less than the max-min share, and found by looking at its own resources alone. Of very many
/// messages a few more or less change the parts of the others only when they make 3 %.
class Flows {
public:
    using Id = std::uint32_t;

    /// A resource that a message passes, and what it would take there alone.
    struct Use {
        std::uint32_t resource;
        Seconds alone;
    };

    Flows(std::size_t resources, std::size_t messages) : resources_(resources), place_(messages, none) {}

    /// A message that takes `alone` where nothing is shared.
    void begin(Id message, Seconds alone, std::span<const Use> uses, Seconds now);
    /// How many pass a resource.
    std::size_t count(std::size_t resource) const { return resources_[resource].flows.size(); }

    /// After all that begins and ends at a point of time: `call(message, time)` asks to be told of that time by
    /// `end`. It is asked for the first to end of those whose first use is the same, not for all whose end moves.
    template <class Call>
    void settle(Seconds now, Call&& call) {
        ++round_;
        for (const std::uint32_t at : begun_) share(flows_[at], now);
        begun_.clear();
        for (const std::uint32_t changed : changed_) share_anew(resources_[changed], now);
        changed_.clear();
        for (const std::uint32_t moved : moved_) {
            Flow* const first = first_of(resources_[moved]);
            if (first == nullptr || first->called <= first->end) continue;
            first->called = first->end;
            call(first->message, first->end);
        }
        moved_.clear();
    }

    /// At a time that was asked for. Whether the message ends now: then it is gone.
    bool end(Id message, Seconds now);

private:
    static constexpr std::uint32_t none = ~std::uint32_t(0);
    static constexpr Seconds never = std::numeric_limits<Seconds>::infinity();

    struct Flow {
        Id message = 0;
        Seconds alone = 0;
        std::vector<Use> uses = {};
        /// Of the message what is left since then, and what the whole of it takes now.
        double left = 1;
        Seconds since = 0, whole = -1, end = 0;
        Seconds called = never;     // asked for
        std::uint32_t settled = 0;  // the last time
    };
    struct Resource {
        std::vector<std::uint32_t> flows;
        /// So many there were when they were given their parts.
        std::size_t shared_by = 0;
        /// To be looked at: how many there are, or when those end that begin their way here.
        bool changed = false, moved = false;

        bool parts_are_old() const {
            constexpr std::size_t noticed = 32;
            const std::size_t now = flows.size();
            return noticed * (now > shared_by ? now - shared_by : shared_by - now) > shared_by;
        }
    };
    void share(Flow& flow, Seconds now);
    void share_anew(Resource& resource, Seconds now);
    /// To end, of those whose first use it is.
    Flow* first_of(Resource& resource);
    void change(const Flow& flow);
    void move(const Flow& flow) {
        const std::uint32_t resource = flow.uses.front().resource;
        if (!std::exchange(resources_[resource].moved, true)) moved_.push_back(resource);
    }

    std::vector<Flow> flows_;  // also places that are free
    std::vector<std::uint32_t> free_, begun_, changed_, moved_;
    std::uint32_t round_ = 0;
    std::vector<Resource> resources_;
    std::vector<std::uint32_t> place_;  // by message
};

}  // namespace echelon
