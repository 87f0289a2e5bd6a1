// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.hpp"
#include "core/link.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace echelon {

/// Some ranks of a link as a link of their own, renumbered in the order given. Its messages travel on the
/// link itself; creating it needs no communication. Error: the own rank is not one of the members.
class MemberLink final : public Link {
public:
    /// `link` must outlive this one.
    MemberLink(Link& link, std::vector<int> members)
        : Link(place_of(link.rank(), members), int(members.size()), link.element_size()),
          link_(link),
          members_(std::move(members)) {}

    Ticket start_send(int to, Slice what) override { return link_.start_send(member(to), what); }
    void send(int to, Slice what) override { link_.send(member(to), what); }
    Ticket start_receive(int from, Slice into) override { return link_.start_receive(member(from), into); }
    void wait(Ticket ticket) override { link_.wait(ticket); }
    void reduce(Slice into, Slice from, Side side) override { link_.reduce(into, from, side); }
    void copy(Slice into, Slice from) override { link_.copy(into, from); }

private:
    static int place_of(int rank, const std::vector<int>& members) {
        const auto found = std::find(members.begin(), members.end(), rank);
        if (found == members.end()) throw Error("member link: the own rank is not a member");
        return int(found - members.begin());
    }
    int member(int rank) const { return members_[std::size_t(rank)]; }
    Slice take(std::size_t count) override { return link_.take(count); }
    void drop(std::size_t height) override { link_.drop(height); }
    std::size_t height() const override { return link_.height(); }

    Link& link_;
    std::vector<int> members_;
};

}  // namespace echelon
