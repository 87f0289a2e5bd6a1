// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <algorithm>
#include <bit>

namespace echelon {

/// The dimensions of a window. Equal on all of its ranks.
struct WindowShape {
    /// Slots of each rank, i.e. rounds that may be under way at once. At least 5.
    std::size_t depth = 8;
    /// Bytes of one slot.
    Bytes slot = Bytes(32) << 10;
    /// Data of at least this many bytes is exposed in place instead of put.
    Bytes expose_from = never;
    static constexpr Bytes never = ~Bytes(0);

    /// Elements that fit into a slot if each is padded to a power of two; 0: an element is too long.
    std::size_t elements(Bytes element_size) const {
        return slot >> std::bit_width(std::max<Bytes>(element_size, 1) - 1);
    }
    /// True if `count` elements are exposed rather than put.
    bool exposes(std::size_t count, Bytes element_size) const {
        return expose_from != never && count > 0 && count * element_size >= expose_from;
    }
    friend bool operator==(const WindowShape&, const WindowShape&) = default;
};

/// Memory that the ranks of a link share beside its messages. Each rank has slots that it alone fills and all
/// ranks read. Data for many ranks is copied once, and operands are combined where they lie.
///
///   round      0        1        2        3        4        ...      depth 3
///   slot       0        1        2        0        1
///
/// All ranks go through the same rounds. In a round a rank may put() once, into its slot of that round, and
/// read the slots of other ranks. A read waits until the slot is filled. A slot is filled again `depth`
/// rounds later: that put() waits until all ranks have called leave() for the round that used it before. An
/// implementation with more room, e.g. for short data, may reuse memory later. Rounds count from 0 in every
/// algorithm.
///
/// A rank may expose() long elements instead of putting them. Other ranks then read them in place, which
/// saves one copy. The elements must not change while another rank may read them. The owner learns from later
/// puts of the readers that they have finished, or it calls withdraw().
class Window {
public:
    virtual ~Window() = default;

    const WindowShape& shape() const { return shape_; }
    /// Sets the limit `expose_from`. Requires: the same value on all ranks; each rank can read memory that
    /// another exposes.
    void expose_from(Bytes bytes) { shape_.expose_from = bytes; }

    /// Own slot of the round = `what`, a part of `whole` elements of this call. Once in a round.
    virtual void put(std::size_t round, Slice what, std::size_t whole) = 0;
    void put(std::size_t round, Slice what) { put(round, what, what.count); }
    /// Like put(), but `what` stays in place. Any length.
    virtual void expose(std::size_t round, Slice what) = 0;
    /// Like expose(), for elements to be written: other ranks give() to them, each to elements of its own.
    /// This rank may use them after accept().
    virtual void offer(std::size_t round, Slice into) = 0;
    /// Elements of the offer of `owner`, from `offset` on, = `what`.
    virtual void give(std::size_t round, int owner, std::size_t offset, Slice what) = 0;
    /// Takes the elements given in a round. Requires: this rank knows that all ranks have given theirs.
    virtual void accept(std::size_t round) = 0;
    /// Waits until all others have left the rounds below `rounds`.
    virtual void withdraw(std::size_t rounds) = 0;
    /// `into` = elements of the slot of `owner`, from `offset` on.
    virtual void get(std::size_t round, int owner, std::size_t offset, Slice into) = 0;
    /// `into` = x(0) (+) x(1) (+) ... (+) x(last - 1), brackets from the left. x(r) are the elements of rank
    /// r's slot from `offset` on; the own operand is `into`. Waits for all of these slots, also if `into` is
    /// empty. Requires: no rank exposed in this round.
    virtual void fold(std::size_t round, int last, std::size_t offset, Slice into) = 0;
    /// Number of elements of which the slot of `owner` is a part, or that it exposes. Waits for the slot.
    /// `expected`: this rank's own number; another result means that the program gives different lengths.
    virtual std::size_t whole(std::size_t /*round*/, int /*owner*/, std::size_t expected) { return expected; }
    /// Records that this rank expected another length than was sent: an error if the MPI library reports it.
    virtual void differ(std::size_t /*sent*/, std::size_t /*expected*/) {}
    /// Declares that this rank has finished reading the rounds below `rounds`.
    virtual void leave(std::size_t rounds) = 0;
    /// Leaves the `rounds` rounds of an algorithm; the next round is round 0 of the next algorithm. Requires:
    /// the same value on all ranks.
    virtual void end(std::size_t rounds) = 0;

protected:
    explicit Window(WindowShape shape) : shape_(shape) {}
    Window(const Window&) = default;
    Window& operator=(const Window&) = default;
    void set_shape(WindowShape shape) { shape_ = shape; }

private:
    WindowShape shape_;
};

}  // namespace echelon
