// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/link.hpp"
#include "core/ranks.hpp"

namespace echelon {

/// The ranks of a link with rotated numbers: rank `first` of the link is rank 0 here. An algorithm for root 0
/// serves any root this way. Operands in the order of the numbers are rotated as well.
class TurnedLink final : public Link {
public:
    /// `link` must outlive this one.
    TurnedLink(Link& link, int first)
        : Link(wrap(link.rank() - first, link.size()), link.size(), link.element_size()),
          link_(link),
          turn_(first, link.size()) {}

    Ticket start_send(int to, Slice what) override { return link_.start_send(turn_.rank(to), what); }
    void send(int to, Slice what) override { link_.send(turn_.rank(to), what); }
    Ticket start_receive(int from, Slice into) override {
        return link_.start_receive(turn_.rank(from), into);
    }
    void wait(Ticket ticket) override { link_.wait(ticket); }
    void reduce(Slice into, Slice from, Side side) override { link_.reduce(into, from, side); }
    void copy(Slice into, Slice from) override { link_.copy(into, from); }

private:
    Slice take(std::size_t count) override { return link_.take(count); }
    void drop(std::size_t height) override { link_.drop(height); }
    std::size_t height() const override { return link_.height(); }

    Link& link_;
    Rotation turn_;
};

}  // namespace echelon
