// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/simulator/event_queue.hpp"
#include "estimators/simulator/flows.hpp"
#include "estimators/simulator/packed_schedule.hpp"
#include "estimators/simulator/shared_links.hpp"
#include "estimators/simulator/timeline.hpp"

#include <limits>
#include <vector>

namespace echelon {

constexpr Seconds never = std::numeric_limits<double>::infinity();

/// The messages of a replay on their way through ports and cards. Every rank has a port for sending and one
/// for receiving. Messages inside the node and beyond it have separate ports, unless the machine has one for
/// both.
class Ports {
public:
    using Id = std::uint32_t;

    /// One end of a message, at a time that has become known.
    struct End {
        Id message;
        bool sends;
        Seconds time;
    };

    Ports(const PackedSchedule& schedule, const Machine& machine, EventQueue& events, Timeline* timeline);

    const MessageCost& cost(Id message) const { return cost(schedule_.messages[message]); }
    /// Processor time of posting the message.
    Seconds send_overhead(Id message) const {
        return cost(message).overhead(schedule_.messages[message].blocking);
    }
    Bytes bytes(Id message) const { return schedule_.lengths[schedule_.messages[message].length]; }
    /// Past or future time of an end of a message; `never` while that is unknown.
    Seconds end(Id message, bool sends) const {
        return sends ? messages_[message].sent : messages_[message].received;
    }

    /// Posts one end of a message.
    void post(Id message, bool sends, Seconds now);
    /// Handles an event of a port, an arrival or a flow.
    void handle(const Event& event);
    /// Starts messages after all events of a point of time: first the ones that waited for a port, then the
    /// ones just ready.
    void proceed(Seconds now);

    /// Passes on the ends that have become known since the last call.
    template <class Take>
    void take_ends(Take&& take) {
        for (const End& end : ends_) take(end);
        ends_.clear();
    }

private:
    static constexpr Id none = ~Id(0);
    struct State {
        Seconds ready = never;  // time since which it could start; later its start
        Seconds sent = never, received = never;
        Id next = none;  // in a port's queue
        bool sends = false, receives = false, arrived = false;
    };
    /// The messages that wait for a busy port, in order.
    struct Port {
        Seconds busy_until = -never;
        Id queue = none, last = none;  // `last` counts while the queue is not empty
        bool called = false;           // an event for `busy_until` is pending
        bool freed = false;            // the queue will be served in this instant
    };
    using Message = PackedSchedule::Message;

    bool between(const Message& m) const { return machine_.node(int(m.from)) != machine_.node(int(m.to)); }
    const MessageCost& cost(const Message& m) const {
        return levels_ == 2 ? costs_[2 * std::size_t(m.length) + (between(m) ? 1 : 0)] : cost_by_level(m);
    }
    const MessageCost& cost_by_level(const Message& m) const;
    /// Ports have even numbers for sending and odd ones for receiving.
    Id port_of(Id rank, bool of_between, bool sends) const {
        return 4 * rank + (of_between && !machine_.one_port ? 2 : 0) + (sends ? 0 : 1);
    }
    Id out_port(const Message& m) const { return port_of(m.from, between(m), true); }
    Id in_port(const Message& m) const { return port_of(m.to, between(m), false); }

    bool is_full(Id port) const {
        return ports_[port].busy_until > now_ || flows_.count(port) >= MessageCost::most_side_by_side;
    }
    bool before(Id a, Id b) const;
    void call(Id port);
    void enqueue(Id port, Id message);
    void occupy(Id port, Seconds until);
    void free(Id port);
    void serve_freed_ports();
    void start_or_enqueue(Id message);
    void start(Id message);
    void start_beside_others(Id message);
    void transferred(Id message, Seconds end);
    void accept(Id message);
    void finish(Id message, bool sends, Seconds time);
    void draw(Id message, Interval::Activity activity, Seconds begin, Seconds end);

    const PackedSchedule& schedule_;
    const Machine& machine_;
    EventQueue& events_;
    Timeline* timeline_;
    Seconds now_ = 0;

    std::vector<State> messages_;
    std::vector<Port> ports_;
    std::size_t levels_;
    std::vector<MessageCost> costs_;  // by length and level
    SharedLinks shared_links_;
    Flows flows_;  // on the ports, then on the cards

    std::vector<Id> freed_;  // ports with a queue that have become free
    std::vector<Id> fresh_;  // messages that have become ready
    std::vector<End> ends_;
    std::vector<Flows::Use> uses_;  // of the message that starts
};

}  // namespace echelon
