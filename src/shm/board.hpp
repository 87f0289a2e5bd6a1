// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/window.hpp"
#include "shm/patience.hpp"
#include "shm/peer_memory.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

namespace echelon {

/// The slots of a window in memory that all ranks map, and the counters by which they wait for each other.
///
///  rank r    | left, bell |  line 0: filled, bytes, ... |  line 1  | ... |  ring: round 7  |  round 8  | ...
///
/// Every counter has one writer and only grows. Counters are never reset, and no round has a closing wait.
///  filled    the round of the line's data, plus one. It is stored with release after the bytes are written
///            and loaded with acquire before they are read: a rank that sees the number sees the bytes.
///  left      rounds that the rank has finished reading. It is stored with release after its last read and
///            loaded with acquire before a line or slot is filled again: no byte is overwritten while a rank
///            may read it.
/// Short data lies in the line of its counter; one transfer of the line brings both. Longer data lies in a
/// ring, each piece behind the last one, and the line holds the length of the whole. A rank may run ahead as
/// far as there are lines and as the ring has room, which is for at least `depth` slots. Rewritten memory has
/// therefore left the first-level caches of its readers long ago and need not be invalidated there line by
/// line. Exposed data lies in the memory of its owner. The line holds its address, and the same counters tell
/// how long it is valid.
///
/// A system may withdraw its permission to copy between processes at any time. A rank then asks the owner of
/// exposed data to copy it, piece by piece, through the asking rank's ring. Ranks with exposed data answer
/// whenever they wait, and an owner waits until all others have left: every question has an answer. A rank
/// has one open question at a time.
///  asked     the number of the question and the rank that is asked. It is stored with release after the
///            piece is described, and loaded with acquire by ranks that wait.
///  answered  the last `asked` that has an answer. The rank that is asked stores it with release after it has
///            copied, and the asking rank loads it with acquire.
template <class On>
class BoardOn {
public:
    /// Requires: slots and ring shorter than 2^24 bytes; `memory` aligned to 128, bytes_of() bytes long, zero
    /// when the first rank enters. The patience may differ between ranks.
    BoardOn(std::byte* memory, int rank, int size, WindowShape shape, PatienceOn<On> patience)
        : memory_(memory),
          rank_(rank),
          size_(size),
          shape_(shape),
          row_bytes_(bytes_of(1, shape)),
          patience_(patience) {}
    static Bytes bytes_of(int size, const WindowShape& shape);
    /// Publishes how to reach the memory of this process. Precedes the first read of it by another rank.
    void introduce() { row(rank_).memory = PeerMemory::own(); }
    /// True if this rank can read and write data that any other rank exposes. Requires: all ranks have
    /// published how to reach their memory.
    bool reaches_all() const;

    const WindowShape& shape() const { return shape_; }
    int rank() const { return rank_; }
    int size() const { return size_; }

    /// The place for this rank's data of a round; waits until no rank reads there. filled() must follow.
    /// `whole`: the length of the data of which it is a part. Short data in a line is always whole.
    std::byte* fill(std::uint64_t round, Bytes bytes, std::uint16_t user = 0, Bytes whole = 0);
    void filled(std::uint64_t round);
    /// Puts data of a round that stays in this rank's own memory.
    void expose(std::uint64_t round, const void* what, Bytes bytes, std::uint16_t user = 0);
    struct Put {
        const std::byte* bytes;
        Bytes count;
        /// The bytes lie in the memory of the owner; copy() reads them.
        bool exposed;
        /// User number that the owner gave.
        std::uint16_t user;
        Bytes whole;
    };
    /// The data that another rank put in a round. Waits until it is there.
    Put put_by(int owner, std::uint64_t round) const;
    /// Copies from the memory of a rank. Returns 0, or the system's error. If the rank has died, it waits for
    /// ever, like every other rank that waits for it.
    int copy(void* into, int owner, const std::byte* from, Bytes bytes) const;
    /// Copies to the memory of a rank; otherwise like copy().
    int give(int owner, const std::byte* into, const void* from, Bytes bytes) const;
    /// Like copy(), but the owner of the exposed data copies it into this rank's ring.
    void copy_by_owner(void* into, int owner, const std::byte* from, Bytes bytes);
    /// Like give(), but the owner copies from this rank's ring.
    void give_by_owner(int owner, const std::byte* into, const void* from, Bytes bytes);
    /// True at the first call by any rank of the board.
    bool is_first_to_tell() { return row(0).told.fetch_add(1, std::memory_order_relaxed) == 0; }
    /// Declares that this rank has finished reading the rounds below `rounds`.
    void leave(std::uint64_t rounds);
    /// Waits until all others have left the rounds below `rounds`.
    void await_left(std::uint64_t rounds);

    /// The first round of the next algorithm.
    std::uint64_t next_round = 0;
    /// Bits of a user number. A board may have several users; the number stands beside the data for its
    /// readers.
    static constexpr int user_bits = 15;

private:
    static constexpr Bytes line = 128;  // processors fetch lines of 64 bytes in pairs
    static constexpr std::size_t lines = On::lines;
    template <class T>
    using Atomic = typename On::template Atomic<T>;
    struct Line {
        Atomic<std::uint64_t> filled;
        typename On::template Plain<std::uint64_t> bytes;
        std::byte beside[line - 16];
    };
    static_assert(sizeof(Line) == line);
    struct Row {
        Atomic<std::uint64_t> left;
        BellOn<On> bell;
        PeerMemory memory;
        Atomic<std::uint64_t> asked, answered;
        /// The piece that is asked for: its address in the memory of the rank that is asked; and, from the
        /// top, the way that it goes, its place in the asking rank's ring and its bytes.
        typename On::template Plain<std::uint64_t> address, piece;
        Atomic<std::uint32_t> told;
    };
    static_assert(sizeof(Row) <= line);
    enum class Way : std::uint64_t { from_owner, to_owner };
    /// Line::bytes holds, from the top, a flag, the user and a number of bytes. The flag says that the line
    /// holds the address of exposed data. If it is not set, the upper half of the number is the place of the
    /// data in the ring.
    static constexpr std::uint64_t exposed = std::uint64_t(1) << 63;
    static constexpr int count_bits = 63 - user_bits, half = count_bits / 2, rank_bits = 32;
    static constexpr std::uint64_t low(std::uint64_t word, int bits) {
        return word & ((std::uint64_t(1) << bits) - 1);
    }
    static constexpr std::uint64_t of(std::uint16_t user) { return low(user, user_bits) << count_bits; }
    int when_alive(Row& owner, int error) const;
    /// Waits until `ready()`, for an act of rank `other`. A rank with exposed data answers meanwhile.
    template <class Ready>
    void wait(int other, const Ready& ready) const;
    /// A rank that has an open question to this one; this rank if there is none.
    int asking() const;
    void answer(int asking) const;
    void ask(int owner, const std::byte* there, Bytes place, Bytes bytes, Way way);
    void await_answer(int owner) const;
    std::byte* row_of(int rank) const { return memory_ + Bytes(rank) * row_bytes_; }
    Row& row(int rank) const { return *reinterpret_cast<Row*>(row_of(rank)); }
    Line& line_of(int rank, std::uint64_t round) const {
        return reinterpret_cast<Line*>(row_of(rank) + line)[round % lines];
    }
    /// One slot more than `depth`: a piece is contiguous, and the rest at the end may be too short for the
    /// next one.
    static Bytes ring_of(const WindowShape& shape) { return (shape.depth + 1) * in_lines(shape.slot); }
    static constexpr Bytes in_lines(Bytes bytes) { return (bytes + line - 1) / line * line; }
    std::byte* in_ring(int rank, Bytes place) const { return row_of(rank) + (1 + lines) * line + place; }
    /// The place in the ring for `bytes` of a round. Waits until no rank reads there.
    Bytes next_place(std::uint64_t round, Bytes bytes);
    /// Like next_place(), for bytes that no rank reads after this rank's next call.
    Bytes take_place(Bytes bytes);

    std::byte* memory_;
    int rank_, size_;
    WindowShape shape_;
    Bytes row_bytes_;
    PatienceOn<On> patience_;
    std::uint64_t all_left_ = 0;  // rounds that all others have left, as last seen
    /// The next place in the own ring, and the bytes that it has advanced in all.
    Bytes place_ = 0;
    std::uint64_t gone_ = 0;
    /// The last pieces in the ring. Pieces from `oldest_` on may still be read.
    struct Piece {
        std::uint64_t round, begin;
    };
    std::array<Piece, lines> pieces_{};
    std::uint64_t oldest_ = 0, newest_ = 0;
    std::uint64_t exposed_ = 0;  // one more than the last round in which this rank exposed data
    std::uint64_t asked_ = 0;    // like in the row
};

template <class On>
Bytes BoardOn<On>::bytes_of(int size, const WindowShape& shape) {
    return Bytes(size) * ((1 + lines) * line + ring_of(shape));
}

template <class On>
std::byte* BoardOn<On>::fill(std::uint64_t round, Bytes bytes, std::uint16_t user, Bytes whole) {
    Line& own = line_of(rank_, round);
    // This waits only for ranks that are `lines` rounds behind.
    if (round >= lines) await_left(round - lines + 1);
    const bool beside = bytes <= sizeof own.beside;
    const Bytes place = beside ? 0 : next_place(round, in_lines(bytes));
    own.bytes = bytes | place << half | of(user);
    if (beside) return own.beside;
    std::memcpy(own.beside, &whole, sizeof whole);
    return in_ring(rank_, place);
}

template <class On>
Bytes BoardOn<On>::next_place(std::uint64_t round, Bytes bytes) {
    const Bytes place = take_place(bytes);
    pieces_[newest_++ % lines] = {round, gone_ - bytes};
    return place;
}

template <class On>
Bytes BoardOn<On>::take_place(Bytes bytes) {
    const Bytes ring = ring_of(shape_);
    if (place_ + bytes > ring) gone_ += ring - std::exchange(place_, 0);
    gone_ += bytes;
    // All ranks have left pieces that are older than `lines` rounds.
    oldest_ = std::max(oldest_, newest_ - std::min<std::uint64_t>(newest_, lines));
    std::uint64_t in_the_way = 0;
    for (; oldest_ < newest_ && pieces_[oldest_ % lines].begin + ring < gone_; ++oldest_)
        in_the_way = pieces_[oldest_ % lines].round + 1;
    await_left(in_the_way);
    return std::exchange(place_, place_ + bytes);
}

template <class On>
void BoardOn<On>::expose(std::uint64_t round, const void* what, Bytes bytes, std::uint16_t user) {
    std::memcpy(fill(round, sizeof what), &what, sizeof what);
    line_of(rank_, round).bytes = bytes | of(user) | exposed;
    exposed_ = round + 1;
    filled(round);
}

template <class On>
void BoardOn<On>::filled(std::uint64_t round) {
    line_of(rank_, round).filled.store(round + 1, std::memory_order_release);
    row(rank_).bell.ring();
}

template <class On>
typename BoardOn<On>::Put BoardOn<On>::put_by(int owner, std::uint64_t round) const {
    Line& there = line_of(owner, round);
    wait(owner, [&] { return there.filled.load(std::memory_order_acquire) > round; });
    const std::uint64_t word = there.bytes, bytes = low(word, count_bits);
    const auto whose = std::uint16_t((word & ~exposed) >> count_bits);
    if ((word & exposed) == 0) {
        const Bytes count = low(bytes, half);
        if (count <= sizeof there.beside) return {there.beside, count, false, whose, count};
        Bytes whole = 0;
        std::memcpy(&whole, there.beside, sizeof whole);
        return {in_ring(owner, bytes >> half), count, false, whose, whole};
    }
    const std::byte* where = nullptr;
    std::memcpy(&where, there.beside, sizeof where);
    return {where, bytes, true, whose, bytes};
}

template <class On>
int BoardOn<On>::copy(void* into, int owner, const std::byte* from, Bytes bytes) const {
    Row& there = row(owner);
    return when_alive(there, there.memory.read(into, reinterpret_cast<std::uint64_t>(from), bytes));
}

template <class On>
int BoardOn<On>::give(int owner, const std::byte* into, const void* from, Bytes bytes) const {
    Row& there = row(owner);
    return when_alive(there, there.memory.write(reinterpret_cast<std::uint64_t>(into), from, bytes));
}

template <class On>
int BoardOn<On>::when_alive(Row& owner, int error) const {
    if (error == ESRCH) patience_.wait(owner.bell, [] { return false; });
    return error;
}

template <class On>
template <class Ready>
void BoardOn<On>::wait(int other, const Ready& ready) const {
    BellOn<On>& bell = row(other).bell;
    if (exposed_ <= next_round) [[likely]]
        return patience_.wait(bell, ready);
    for (int by = 0;;) {
        patience_.wait(bell, [&] {
            by = rank_;
            return ready() || (by = asking()) != rank_;
        });
        if (by == rank_) return;
        answer(by);
    }
}

template <class On>
int BoardOn<On>::asking() const {
    for (int other = 0; other < size_; ++other) {
        if (other == rank_) continue;
        const std::uint64_t asked = row(other).asked.load(std::memory_order_acquire);
        // This rank sees its own answers. A later question may have an answer of another rank already.
        if (low(asked, rank_bits) == std::uint64_t(rank_) + 1 &&
            row(other).answered.load(std::memory_order_relaxed) < asked)
            return other;
    }
    return rank_;
}

template <class On>
void BoardOn<On>::answer(int asking) const {
    Row& there = row(asking);
    const std::uint64_t address = there.address, piece = there.piece;
    std::byte* const own = reinterpret_cast<std::byte*>(address);
    std::byte* const in_its_ring = in_ring(asking, low(piece, 2 * half) >> half);
    if (Way(piece >> 2 * half) == Way::from_owner)
        On::copy(in_its_ring, own, low(piece, half));
    else
        On::copy(own, in_its_ring, low(piece, half));
    there.answered.store(there.asked.load(std::memory_order_relaxed), std::memory_order_release);
    row(rank_).bell.ring();
}

template <class On>
void BoardOn<On>::ask(int owner, const std::byte* there, Bytes place, Bytes bytes, Way way) {
    Row& own = row(rank_);
    own.address = reinterpret_cast<std::uint64_t>(there);
    own.piece = std::uint64_t(way) << 2 * half | place << half | bytes;
    asked_ = ((asked_ >> rank_bits) + 1) << rank_bits | (std::uint64_t(owner) + 1);
    own.asked.store(asked_, std::memory_order_release);
    // The owner may sleep at any bell.
    for (int other = 0; other < size_; ++other) row(other).bell.ring();
}

template <class On>
void BoardOn<On>::await_answer(int owner) const {
    wait(owner, [&] { return row(rank_).answered.load(std::memory_order_acquire) == asked_; });
}

/// The owner copies a piece while this rank copies the one before it.
template <class On>
void BoardOn<On>::copy_by_owner(void* into, int owner, const std::byte* from, Bytes bytes) {
    const Bytes slot = in_lines(shape_.slot);
    Bytes here = take_place(2 * slot), following = here + slot;
    const auto ask_for = [&](Bytes begin, Bytes place) {
        if (begin < bytes) ask(owner, from + begin, place, std::min(slot, bytes - begin), Way::from_owner);
    };
    ask_for(0, here);
    for (Bytes begin = 0; begin < bytes; begin += slot, std::swap(here, following)) {
        await_answer(owner);
        ask_for(begin + slot, following);
        On::copy(static_cast<std::byte*>(into) + begin, in_ring(rank_, here), std::min(slot, bytes - begin));
    }
}

template <class On>
void BoardOn<On>::give_by_owner(int owner, const std::byte* into, const void* from, Bytes bytes) {
    const Bytes slot = in_lines(shape_.slot);
    Bytes here = take_place(2 * slot), following = here + slot;
    for (Bytes begin = 0; begin < bytes; begin += slot, std::swap(here, following)) {
        const Bytes part = std::min(slot, bytes - begin);
        On::copy(in_ring(rank_, here), static_cast<const std::byte*>(from) + begin, part);
        if (begin > 0) await_answer(owner);
        ask(owner, into + begin, here, part, Way::to_owner);
    }
    if (bytes > 0) await_answer(owner);
}

template <class On>
bool BoardOn<On>::reaches_all() const {
    for (int other = 0; other < size_; ++other)
        if (!row(other).memory.can_be_reached()) return false;
    return true;
}

template <class On>
void BoardOn<On>::leave(std::uint64_t rounds) {
    Row& own = row(rank_);
    own.left.store(rounds, std::memory_order_release);
    own.bell.ring();
}

template <class On>
void BoardOn<On>::await_left(std::uint64_t rounds) {
    if (all_left_ >= rounds) return;
    std::uint64_t least = ~std::uint64_t(0);
    for (int other = 0; other < size_; ++other) {
        if (other == rank_) continue;
        Row& there = row(other);
        wait(other, [&] { return there.left.load(std::memory_order_acquire) >= rounds; });
        least = std::min(least, there.left.load(std::memory_order_acquire));
    }
    all_left_ = least;
}

using Board = BoardOn<Machinery>;

}  // namespace echelon
