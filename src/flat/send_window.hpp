// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/link.hpp"

#include <array>

namespace echelon {

/// Sends under way, a bounded number of them: one more waits for the oldest.
class SendWindow {
public:
    explicit SendWindow(Link& link) : link_(link) { tickets_.fill(Link::Ticket::none); }

    void start(int to, Slice what) {
        Link::Ticket& slot = tickets_[next_];
        next_ = (next_ + 1) % tickets_.size();
        finish(slot);
        slot = link_.start_send(to, what);
    }
    void finish() {
        for (std::size_t i = 0; i < tickets_.size(); ++i) finish(tickets_[(next_ + i) % tickets_.size()]);
    }

private:
    void finish(Link::Ticket& ticket) {
        link_.wait(ticket);
        ticket = Link::Ticket::none;
    }

    Link& link_;
    std::array<Link::Ticket, 8> tickets_{};
    std::size_t next_ = 0;
};

}  // namespace echelon
