// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/link.hpp"

#include <array>

namespace echelon {

/// A bounded number of sends under way. A further send waits for the oldest.
class SendWindow {
public:
    static constexpr std::size_t usual = 8;

    /// `most`: at most `usual`.
    explicit SendWindow(Link& link, std::size_t most = usual) : link_(link), most_(most) {
        tickets_.fill(Link::Ticket::none);
    }

    void start(int to, Slice what) {
        Link::Ticket& slot = tickets_[next_];
        next_ = (next_ + 1) % most_;
        finish(slot);
        slot = link_.start_send(to, what);
    }
    /// The last message, with which nothing overlaps but the ones under way.
    void send_last(int to, Slice what) {
        finish(tickets_[next_]);
        link_.send(to, what);
    }
    void finish() {
        for (std::size_t i = 0; i < most_; ++i) finish(tickets_[(next_ + i) % most_]);
    }

private:
    void finish(Link::Ticket& ticket) {
        link_.wait(ticket);
        ticket = Link::Ticket::none;
    }

    Link& link_;
    std::array<Link::Ticket, usual> tickets_{};
    std::size_t most_, next_ = 0;
};

}  // namespace echelon
