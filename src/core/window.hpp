// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <algorithm>
#include <bit>

namespace echelon {

/// How much a window holds. The same on all of its ranks.
struct WindowShape {
    /// Slots of each rank: so many rounds may be under way at once. At least 5.
    std::size_t depth = 8;
    /// Of one slot.
    Bytes slot = Bytes(32) << 10;
    /// What a rank reads of another, if it has so many bytes, is exposed where it lies instead of put.
    Bytes expose_from = never;
    static constexpr Bytes never = ~Bytes(0);

    /// Elements that fit into a slot, whatever padding they have there; 0: an element is too long.
    std::size_t elements(Bytes element_size) const {
        return slot >> std::bit_width(std::max<Bytes>(element_size, 1) - 1);
    }
    /// So many elements are to be exposed.
    bool exposes(std::size_t count, Bytes element_size) const {
        return expose_from != never && count > 0 && count * element_size >= expose_from;
    }
    friend bool operator==(const WindowShape&, const WindowShape&) = default;
};

/// Memory that the ranks of a link share, beside its messages: each rank has slots, which it alone fills and
/// all read. So what many need is copied once, and combined straight from where it lies.
///
///   round      0        1        2        3        4        ...      depth 3
///   slot       0        1        2        0        1
///
/// Ranks go through the same rounds. In a round a rank may put() once, into its slot of that round, and read
/// what others put. Whoever reads waits until it is there. A slot is filled again `depth` rounds later: that
/// waits until all ranks have left() the round which it served before, though where there is room for more, as for short ones,
/// it may be later. Rounds count from 0 in every algorithm.
///
/// Long elements a rank may expose() instead of putting them: others read them where they lie, so that they are
/// copied once. They must stay as they are as long as somebody may read them. That nobody does any more a rank
/// knows from what others put later, or it has to withdraw() them.
class Window {
public:
    virtual ~Window() = default;

    const WindowShape& shape() const { return shape_; }
    /// On all ranks alike, and where each can read what another exposes.
    void expose_from(Bytes bytes) { shape_.expose_from = bytes; }

    /// Own slot of the round = what. Once in a round.
    virtual void put(std::size_t round, Slice what) = 0;
    /// The same, but what is put stays where it lies. Any length.
    virtual void expose(std::size_t round, Slice what) = 0;
    /// The same for elements to be written: others may give() to them, each elements of its own, and this rank
    /// has them when it has accepted them.
    virtual void offer(std::size_t round, Slice into) = 0;
    /// Elements from `offset` on of what `owner` offers = what.
    virtual void give(std::size_t round, int owner, std::size_t offset, Slice what) = 0;
    /// Takes what was given in a round. Requires: it is known that all have.
    virtual void accept(std::size_t round) = 0;
    /// Waits until all others have left rounds below `rounds`.
    virtual void withdraw(std::size_t rounds) = 0;
    /// into = elements from `offset` on of what `owner` put.
    virtual void get(std::size_t round, int owner, std::size_t offset, Slice into) = 0;
    /// into = x(0) (+) x(1) (+) ... (+) x(last - 1), brackets from the left, where x(r) are elements from
    /// `offset` on of what rank r put, but the own ones are those in `into`. Waits also for what is empty.
    /// Requires: nobody exposed.
    virtual void fold(std::size_t round, int last, std::size_t offset, Slice into) = 0;
    /// Reads nothing of rounds below `rounds` any more.
    virtual void leave(std::size_t rounds) = 0;
    /// Leaves so many rounds, which were gone through: the next one is round 0 of the next algorithm. On all ranks alike.
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
