// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"
#include "core/window.hpp"

namespace echelon {

/// The operations of an algorithm: messages to ranks 0 .. size() - 1, combining, copying, scratch space.
///
/// An algorithm is an ordinary function of a Link. Its messages depend only on rank, size, counts and root,
/// never on received data or on the order of arrival. Therefore the same text runs over MPI, is recorded,
/// proved and simulated. Messages between two ranks arrive in the order in which they were started. A receive
/// names exactly as many elements as its send.
class Link {
public:
    /// A communication that is under way.
    enum class Ticket : int { none = -1 };

    virtual ~Link() = default;

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// Bytes in one element; they convert a segment size into a number of elements.
    Bytes element_size() const { return element_size_; }

    /// Starts a message. The elements must not be written before wait() returns.
    virtual Ticket start_send(int to, Slice what) = 0;
    /// Starts to receive. The elements must not be touched before wait() returns.
    virtual Ticket start_receive(int from, Slice into) = 0;
    /// Completes a communication; called once for each that was started. Ticket::none completes at once.
    virtual void wait(Ticket ticket) = 0;

    /// into = from (+) into with Side::before, into (+) from with Side::after, element by element.
    virtual void reduce(Slice into, Slice from, Side side) = 0;
    virtual void copy(Slice into, Slice from) = 0;

    /// Memory that the ranks share beside messages; on all of them or on none. `nullptr`: none.
    virtual Window* window() { return nullptr; }

    /// Like start_send() and wait(). Nothing overlaps with it but what was started before.
    virtual void send(int to, Slice what) { wait(start_send(to, what)); }
    void receive(int from, Slice into) { wait(start_receive(from, into)); }
    void exchange(int to, Slice what, int from, Slice into);

    /// Receives as many elements as `into` has and combines them into it.
    void receive_reduce(int from, Slice into, Side side);
    /// Sends `what` while it receives operands for `into`. The two slices may overlap.
    void exchange_reduce(int to, Slice what, int from, Slice into, Side side);

protected:
    Link(int rank, int size, Bytes element_size) : rank_(rank), size_(size), element_size_(element_size) {}
    Link(const Link&) = default;
    Link& operator=(const Link&) = default;

    void set_element_size(Bytes bytes) { element_size_ = bytes; }

private:
    friend class Scratch;
    friend class TurnedLink;
    friend class MemberLink;
    /// Scratch space is a stack: take() grows it, drop() returns to an earlier height.
    virtual Slice take(std::size_t count) = 0;
    virtual void drop(std::size_t height) = 0;
    virtual std::size_t height() const = 0;

    int rank_;
    int size_;
    Bytes element_size_;
};

/// Scratch space of a scope; it is returned when the scope ends. Scopes nest.
class Scratch {
public:
    explicit Scratch(Link& link) : link_(link), height_(link.height()) {}
    ~Scratch() { link_.drop(height_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// `count` elements with undefined values.
    Slice operator()(std::size_t count) { return link_.take(count); }

private:
    Link& link_;
    std::size_t height_;
};

}  // namespace echelon
