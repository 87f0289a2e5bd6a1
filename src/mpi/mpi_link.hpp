// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/link.hpp"
#include "mpi/first_error.hpp"
#include "mpi/memory.hpp"
#include "mpi/next.hpp"

#include <memory>
#include <span>
#include <vector>

namespace echelon {

/// A Link over MPI point-to-point messages: on one of Echelon's communicators, without wildcards, with few
/// tags. A message that fails or has an unexpected length records its error; the other messages continue.
/// Every 251st send of a long call is synchronous.
class MpiLink final : public Link {
public:
    /// The route's communicator, the memory and the error must outlive the link.
    MpiLink(Route route, Memory& memory, FirstError& first_error)
        : Link(route.rank, route.size, 1),
          route_(std::move(route)),
          memory_(memory),
          first_error_(first_error) {}

    /// Sets the tag of the messages that follow: concurrent strands must not match each other's messages.
    void use_tag(int tag) { tag_ = route_.first_tag + tag; }
    /// Begins a call: takes over the memory's element size.
    void begin() {
        set_element_size(memory_.element().size);
        use_tag(0);
        sends_ = 0;
    }
    /// Begins a recorded call with these tags in place of the route's.
    void begin_with_tags_from(int first) {
        route_.first_tag = first;
        sends_ = 0;
    }

    /// A blocking send of at most so many bytes takes less processor time than a request does.
    static constexpr Bytes sent_without_request = 4096;

    void send(int to, Slice what) override;
    Ticket start_send(int to, Slice what) override;
    Ticket start_receive(int from, Slice into) override;
    void wait(Ticket ticket) override;
    /// Completes a communication that has ended already; false: it has not.
    bool ends_at_once(Ticket ticket);
    void reduce(Slice into, Slice from, Side side) override { memory_.reduce(into, from, side); }
    void copy(Slice into, Slice from) override { memory_.copy(into, from); }
    Window* window() override { return window_.get(); }
    /// Sets the window of the link's ranks, or removes it (null). Requires: the same on all ranks.
    void share(std::unique_ptr<Window> window) { window_ = std::move(window); }

    /// Reserves space for `communications` under way at once: up to that number the link allocates nothing.
    void reserve(std::size_t communications) {
        under_way_.reserve(communications);
        free_.reserve(communications);
    }
    /// The request of a communication under way, for a caller that waits for several at once and then calls
    /// ended() with MPI's code.
    MPI_Request& request(Ticket ticket) { return under_way_[std::size_t(ticket)].request; }
    void ended(Ticket ticket, int code, const MPI_Status& status);

private:
    Slice take(std::size_t count) override {
        const Slice slice{memory_.height, count, Buffer::scratch};
        memory_.height += count;
        return slice;
    }
    void drop(std::size_t height) override { memory_.height = height; }
    std::size_t height() const override { return memory_.height; }

    /// True: send number `number` of a call does not end before its receive has begun.
    bool is_synchronous(std::size_t number) const;
    /// `expected`: bytes to receive, or `sends`.
    Ticket new_ticket(MPI_Count expected);

    Route route_;
    Memory& memory_;
    FirstError& first_error_;
    int tag_ = 0;
    std::size_t sends_ = 0;
    std::unique_ptr<Window> window_;
    struct UnderWay {
        MPI_Request request;
        MPI_Count expected;
    };
    static constexpr MPI_Count sends = -1;
    std::vector<UnderWay> under_way_;
    std::vector<Ticket> free_;
};

}  // namespace echelon
