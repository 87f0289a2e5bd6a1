// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace echelon {

/// An event at a point of virtual time.
struct Event {
    enum class Kind : std::uint32_t {
        strand,   // id: a strand goes on
        port,     // id: a port that becomes free
        arrival,  // id: a message that is no circuit has arrived
        flow      // id: a message beside others may have been carried
    };
    Seconds time;
    Kind kind;
    std::uint32_t id;

    bool before(const Event& other) const {
        if (time != other.time) return time < other.time;
        return order() < other.order();
    }

private:
    std::uint64_t order() const { return std::uint64_t(kind) << 32 | id; }
};

/// Pending events, the earliest on top; equal times are ordered by kind and id. A heap with four children per
/// node: half as deep as a binary one, and the four share a cache line.
class EventQueue {
public:
    bool empty() const { return heap_.empty(); }
    const Event& top() const { return heap_.front(); }

    void push(const Event& event) {
        std::size_t at = heap_.size();
        heap_.push_back(event);
        while (at > 0) {
            const std::size_t parent = (at - 1) / 4;
            if (!event.before(heap_[parent])) break;
            heap_[at] = heap_[parent];
            at = parent;
        }
        heap_[at] = event;
    }

    void pop() {
        const Event last = heap_.back();
        heap_.pop_back();
        if (heap_.empty()) return;
        std::size_t at = 0;
        for (;;) {
            const std::size_t first = 4 * at + 1, end = std::min(first + 4, heap_.size());
            if (first >= heap_.size()) break;
            std::size_t least = first;
            for (std::size_t child = first + 1; child < end; ++child)
                if (heap_[child].before(heap_[least])) least = child;
            if (!heap_[least].before(last)) break;
            heap_[at] = heap_[least];
            at = least;
        }
        heap_[at] = last;
    }

private:
    std::vector<Event> heap_;
};

}  // namespace echelon
