// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/ports.hpp"

#include <algorithm>

namespace echelon {
namespace {

MessageCost rounded(MessageCost cost) {
    for (Seconds* part : {&cost.send_overhead, &cost.blocking_overhead, &cost.start, &cost.transfer,
                          &cost.gap, &cost.latency, &cost.drain, &cost.receive_overhead})
        *part = on_grid(*part);
    return cost;
}

}  // namespace

Ports::Ports(const PackedSchedule& schedule, const Machine& machine, EventQueue& events, Timeline* timeline)
    : schedule_(schedule),
      machine_(machine),
      events_(events),
      timeline_(timeline),
      messages_(schedule.messages.size()),
      ports_(4 * std::size_t(schedule.p)),
      levels_(machine.levels()),
      shared_links_(machine, schedule.p),
      flows_(ports_.size() + shared_links_.count(), schedule.messages.size()) {
    for (const Bytes bytes : schedule.lengths)
        for (std::size_t level = 0; level < levels_; ++level)
            costs_.push_back(rounded(machine.message(level, bytes)));
}

const MessageCost& Ports::cost_by_level(const Message& m) const {
    return costs_[levels_ * m.length + machine_.level(int(m.from), int(m.to))];
}

void Ports::post(Id id, bool sends, Seconds now) {
    now_ = now;
    State& state = messages_[id];
    (sends ? state.sends : state.receives) = true;
    const auto& c = cost(id);
    if (sends && c.buffered) finish(id, true, now);
    if (state.ready != never || !state.sends || (c.circuit && !state.receives)) return;
    state.ready = now;
    fresh_.push_back(id);
}

void Ports::handle(const Event& event) {
    now_ = event.time;
    switch (event.kind) {
        case Event::Kind::port: {
            Port& port = ports_[event.id];
            port.called = false;
            if (port.busy_until > now_)
                call(event.id);
            else
                free(event.id);
            break;
        }
        case Event::Kind::arrival:
            messages_[event.id].arrived = true;
            messages_[event.id].ready = now_;
            fresh_.push_back(event.id);
            break;
        case Event::Kind::flow:
            if (flows_.end(event.id, now_)) transferred(event.id, now_);
            break;
        case Event::Kind::strand:
            break;
    }
}

void Ports::proceed(Seconds now) {
    now_ = now;
    serve_freed_ports();
    const auto in_order = [&](Id a, Id b) { return before(a, b); };
    if (!std::is_sorted(fresh_.begin(), fresh_.end(), in_order))
        std::sort(fresh_.begin(), fresh_.end(), in_order);
    for (const Id id : fresh_) start_or_enqueue(id);
    fresh_.clear();
    flows_.settle(now_, [&](Id id, Seconds end) { events_.push({end, Event::Kind::flow, id}); });
}

/// True if message a goes before message b.
bool Ports::before(Id a, Id b) const {
    if (messages_[a].ready != messages_[b].ready) return messages_[a].ready < messages_[b].ready;
    const auto &left = schedule_.messages[a], &right = schedule_.messages[b];
    if (left.ordinal != right.ordinal) return left.ordinal < right.ordinal;
    if (left.from != right.from) return left.from < right.from;
    return left.sending_strand < right.sending_strand;
}

/// Schedules an event for the end of the port's busy time if messages wait.
void Ports::call(Id id) {
    Port& port = ports_[id];
    if (port.called || port.queue == none || port.busy_until == never) return;
    port.called = true;
    events_.push({port.busy_until, Event::Kind::port, id});
}

void Ports::enqueue(Id port_id, Id id) {
    Port& port = ports_[port_id];
    const bool at_the_end = port.queue != none && before(port.last, id);
    Id* at = at_the_end ? &messages_[port.last].next : &port.queue;
    while (*at != none && before(*at, id)) at = &messages_[*at].next;
    messages_[id].next = *at;
    if (*at == none) port.last = id;
    *at = id;
    call(port_id);
}

void Ports::occupy(Id port, Seconds until) {
    ports_[port].busy_until = until;
    call(port);
}

void Ports::free(Id id) {
    Port& port = ports_[id];
    if (port.queue == none || port.freed) return;
    port.freed = true;
    freed_.push_back(id);
}

/// Serves the queues' heads in the messages' order, over all ports, because two ports may wait for the same
/// third one.
void Ports::serve_freed_ports() {
    const auto later = [&](Id a, Id b) { return before(ports_[b].queue, ports_[a].queue); };
    std::make_heap(freed_.begin(), freed_.end(), later);
    while (!freed_.empty()) {
        std::pop_heap(freed_.begin(), freed_.end(), later);
        const Id port_id = freed_.back();
        Port& port = ports_[port_id];
        freed_.pop_back();
        port.freed = false;
        if (port.busy_until > now_) {
            call(port_id);
            continue;
        }
        if (port.queue == none ||
            (flows_.count(port_id) >= MessageCost::most_side_by_side && cost(port.queue).shares()))
            continue;
        const Id id = port.queue;
        port.queue = messages_[id].next;
        start_or_enqueue(id);
        if (port.queue == none) continue;
        port.freed = true;
        freed_.push_back(port_id);
        std::push_heap(freed_.begin(), freed_.end(), later);
    }
}

void Ports::start_or_enqueue(Id id) {
    const auto& m = schedule_.messages[id];
    const bool arrived = messages_[id].arrived, circuit = cost(m).circuit;
    const Id out = out_port(m), in = in_port(m);
    if (cost(m).shares()) {
        if (is_full(out))
            enqueue(out, id);
        else if (is_full(in))
            enqueue(in, id);
        else
            start_beside_others(id);
        return;
    }
    if (!arrived && ports_[out].busy_until > now_)
        enqueue(out, id);
    else if (circuit ? ports_[in].busy_until > now_ : arrived && ports_[in].busy_until == never)
        enqueue(in, id);
    else if (arrived)
        accept(id);
    else
        start(id);
}

void Ports::start(Id id) {
    const auto& m = schedule_.messages[id];
    const auto& c = cost(m);
    messages_[id].ready = now_;
    transferred(id, shared_links_.carry(int(m.from), int(m.to), bytes(id), now_ + c.start, c.transfer));
}

void Ports::start_beside_others(Id id) {
    const auto& m = schedule_.messages[id];
    const auto& c = cost(m);
    messages_[id].ready = now_;
    uses_.assign({{out_port(m), c.port_share * c.transfer}, {in_port(m), c.port_share * c.transfer}});
    shared_links_.pass(int(m.from), int(m.to), bytes(id), [&](std::size_t i, Seconds share) {
        uses_.push_back({Id(ports_.size() + i), share});
    });
    flows_.begin(id, c.transfer, uses_, now_);
}

/// The last byte of a message leaves the sender at `end`.
void Ports::transferred(Id id, Seconds end) {
    const auto& m = schedule_.messages[id];
    const auto& c = cost(m);
    const Seconds begin = messages_[id].ready;
    if (c.shares()) {
        free(out_port(m));
        free(in_port(m));
        if (!c.buffered) finish(id, true, end + c.latency);
        finish(id, false, end + c.latency);
        draw(id, Interval::Activity::send, begin, end);
        return draw(id, Interval::Activity::receive, begin, end);
    }
    if (!c.buffered) finish(id, true, c.circuit ? end + c.latency : end);
    occupy(out_port(m), end + c.gap);
    draw(id, Interval::Activity::send, begin, end);
    if (c.circuit) {
        occupy(in_port(m), end);
        finish(id, false, end + c.latency);
        draw(id, Interval::Activity::receive, begin, end);
    } else {
        events_.push({std::max(now_, end + c.latency), Event::Kind::arrival, id});
    }
}

/// The last byte of a message reaches the receiver's port now, and leaves it at least `drain` after the
/// message before.
void Ports::accept(Id id) {
    const auto& m = schedule_.messages[id];
    const auto& c = cost(m);
    const Seconds end = std::max(now_, ports_[in_port(m)].busy_until + c.drain);
    draw(id, Interval::Activity::receive, end - c.drain, end);
    occupy(in_port(m), end);
    finish(id, false, end);
}

void Ports::finish(Id id, bool sends, Seconds time) {
    (sends ? messages_[id].sent : messages_[id].received) = time;
    ends_.push_back({id, sends, time});
}

void Ports::draw(Id id, Interval::Activity activity, Seconds begin, Seconds end) {
    if (timeline_ == nullptr) return;
    const auto& m = schedule_.messages[id];
    const bool sends = activity == Interval::Activity::send;
    timeline_->intervals.push_back(
        {int(sends ? m.from : m.to), activity, begin, end, int(sends ? m.to : m.from), bytes(id), id});
}

}  // namespace echelon
