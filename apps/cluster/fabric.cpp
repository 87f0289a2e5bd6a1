// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/fabric.hpp"

#include <algorithm>
#include <utility>

namespace echelon::cluster {
namespace {

constexpr std::size_t longest_frame = 1500;

bool later(const std::unique_ptr<Frame>& one, const std::unique_ptr<Frame>& other) {
    return std::pair(one->head, one->number) > std::pair(other->head, other->number);
}

}  // namespace

Fabric::Fabric(const Shape& shape) : shape_(shape) {
    // Half of the latency lies before the switch, half behind it.
    const auto two = [&](double rate, Nanoseconds latency) {
        const Link link{
            .nanoseconds_per_byte = rate > 0 ? 8e9 / rate : 0, .latency = latency / 2, .busy_until = 0};
        links_.insert(links_.end(), 2, link);
    };
    for (int node = 0; node < shape.nodes; ++node) two(shape.rate, shape.latency);
    for (int rack = 0; rack < shape.racks; ++rack) two(shape.trunk_rate, shape.trunk_latency);
}

void Fabric::send(int from, int to, std::unique_ptr<Frame> frame, Nanoseconds now) {
    const auto add = [&](int link) { frame->links[frame->hops++] = link; };
    frame->hop = frame->hops = 0;
    add(2 * from);
    if (const int here = shape_.rack_of(from), there = shape_.rack_of(to); here != there) {
        add(2 * (shape_.nodes + here));
        add(2 * (shape_.nodes + there) + 1);
    }
    add(2 * to + 1);
    frame->to = to;
    frame->head = frame->tail = now;
    frame->number = sent_++;
    pass(*frame);
    put(std::move(frame));
}

std::optional<Nanoseconds> Fabric::next() const {
    if (moving_.empty()) return std::nullopt;
    return moving_.front()->head;
}

std::unique_ptr<Frame> Fabric::arrived(Nanoseconds now) {
    while (!moving_.empty() && moving_.front()->head <= now) {
        std::pop_heap(moving_.begin(), moving_.end(), later);
        std::unique_ptr<Frame> frame = std::move(moving_.back());
        moving_.pop_back();
        if (frame->hop > frame->hops) return frame;
        pass(*frame);
        put(std::move(frame));
    }
    return nullptr;
}

/// Moves a frame over its next link; after the last link the frame waits for its last bit.
void Fabric::pass(Frame& frame) {
    if (frame.hop < frame.hops) {
        Link& link = links_[std::size_t(frame.links[frame.hop])];
        const auto lasting = [&](std::size_t bytes) {
            return Nanoseconds(double(bytes) * link.nanoseconds_per_byte);
        };
        const Nanoseconds first = lasting(std::min(frame.bytes_on_wire, longest_frame));
        const Nanoseconds start = std::max(frame.head, link.busy_until);
        link.busy_until = std::max(start + lasting(frame.bytes_on_wire), frame.tail + first);
        frame.head = start + first + link.latency;
        frame.tail = link.busy_until + link.latency;
    } else {
        frame.head = frame.tail;
    }
    ++frame.hop;
}

void Fabric::put(std::unique_ptr<Frame> frame) {
    moving_.push_back(std::move(frame));
    std::push_heap(moving_.begin(), moving_.end(), later);
}

}  // namespace echelon::cluster
