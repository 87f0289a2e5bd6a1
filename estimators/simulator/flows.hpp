// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace echelon {

/// Messages that are carried side by side: each resource (port, card, memory) gives every message that passes
/// it an equal part, like connections share a link. If another resource is narrower, a message cannot use all
/// of its part, and no other message gets the rest. A part is at most the max-min share, and depends on a
/// message's own resources alone. If very many messages share a resource, their parts change only when their
/// number has changed by 3 %.
class Flows {
public:
    using Id = std::uint32_t;

    /// A resource that a message passes, and the time that it takes there alone.
    struct Use {
        std::uint32_t resource;
        Seconds alone;
    };

    Flows(std::size_t resources, std::size_t messages) : resources_(resources), place_(messages, none) {}

    /// Begins a message that takes `alone` if it shares nothing.
    void begin(Id message, Seconds alone, std::span<const Use> uses, Seconds now);
    /// Number of messages that pass a resource.
    std::size_t count(std::size_t resource) const { return resources_[resource].flows.size(); }

    /// Recomputes the parts; called after all messages of a point of time have begun or ended. `call(message,
    /// time)` asks the caller for end() at that time. It is called for the first message to end among the
    /// ones with the same first use, not for every message whose end moves.
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

    /// Handles a time that was asked for. Returns true if the message ends now; it is then removed.
    bool end(Id message, Seconds now);

private:
    static constexpr std::uint32_t none = ~std::uint32_t(0);
    static constexpr Seconds never = std::numeric_limits<Seconds>::infinity();

    struct Flow {
        Id message = 0;
        Seconds alone = 0;
        std::vector<Use> uses = {};
        /// Share of the message that is left at `since`, and the time that the whole takes at the present
        /// rate.
        double left = 1;
        Seconds since = 0, whole = -1, end = 0;
        Seconds called = never;     // time asked for
        std::uint32_t settled = 0;  // round of the last update
    };
    struct Resource {
        std::vector<std::uint32_t> flows;
        /// Number of messages at the last update of their parts.
        std::size_t shared_by = 0;
        /// `changed`: the number of messages has changed. `moved`: the end of a message with this first use
        /// has changed.
        bool changed = false, moved = false;

        bool parts_are_old() const {
            constexpr std::size_t noticed = 32;
            const std::size_t now = flows.size();
            return noticed * (now > shared_by ? now - shared_by : shared_by - now) > shared_by;
        }
    };
    void share(Flow& flow, Seconds now);
    void share_anew(Resource& resource, Seconds now);
    /// The first message to end among the ones with this first use.
    Flow* first_of(Resource& resource);
    void change(const Flow& flow);
    void move(const Flow& flow) {
        const std::uint32_t resource = flow.uses.front().resource;
        if (!std::exchange(resources_[resource].moved, true)) moved_.push_back(resource);
    }

    std::vector<Flow> flows_;  // including free places
    std::vector<std::uint32_t> free_, begun_, changed_, moved_;
    std::uint32_t round_ = 0;
    std::vector<Resource> resources_;
    std::vector<std::uint32_t> place_;  // by message
};

}  // namespace echelon
