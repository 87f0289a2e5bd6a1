// SPDX-License-Identifier: Apache-2.0
#include "shm/board.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace echelon {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "counters are shared by processes");

Board::Board(std::byte* memory, int rank, int size, WindowShape shape, Patience patience)
    : memory_(memory),
      rank_(rank),
      size_(size),
      shape_(shape),
      row_bytes_(bytes_of(1, shape)),
      patience_(patience) {}

Bytes Board::bytes_of(int size, const WindowShape& shape) {
    const Bytes each = (1 + lines) * line + shape.depth * shape.slot;
    return Bytes(size) * ((each + line - 1) / line * line);
}

std::byte* Board::fill(std::uint64_t round, Bytes bytes) {
    Line& own = line_of(rank_, round);
    // Rounds far back: only who is so far behind is waited for.
    const std::uint64_t ahead = bytes <= sizeof own.beside ? lines : std::min(lines, shape_.depth);
    if (round >= ahead) await_left(round - ahead + 1);
    own.bytes = bytes;
    return payload(rank_, round, bytes);
}

void Board::expose(std::uint64_t round, const void* what, Bytes bytes) {
    std::memcpy(fill(round, sizeof what), &what, sizeof what);
    line_of(rank_, round).bytes = bytes | exposed;
    filled(round);
}

void Board::filled(std::uint64_t round) {
    line_of(rank_, round).filled.store(round + 1, std::memory_order_release);
    row(rank_).bell.ring();
}

Board::Put Board::put_by(int owner, std::uint64_t round) const {
    Line& there = line_of(owner, round);
    patience_.wait(row(owner).bell, [&] { return there.filled.load(std::memory_order_acquire) > round; });
    if ((there.bytes & exposed) == 0) return {payload(owner, round, there.bytes), there.bytes, false};
    const std::byte* where = nullptr;
    std::memcpy(&where, there.beside, sizeof where);
    return {where, there.bytes & ~exposed, true};
}

int Board::copy(void* into, int owner, const std::byte* from, Bytes bytes) const {
    Row& there = row(owner);
    return when_alive(there, there.memory.read(into, reinterpret_cast<std::uint64_t>(from), bytes));
}

int Board::give(int owner, const std::byte* into, const void* from, Bytes bytes) const {
    Row& there = row(owner);
    return when_alive(there, there.memory.write(reinterpret_cast<std::uint64_t>(into), from, bytes));
}

int Board::when_alive(Row& owner, int error) const {
    if (error == ESRCH) patience_.wait(owner.bell, [] { return false; });
    return error;
}

bool Board::reaches_all() const {
    for (int other = 0; other < size_; ++other)
        if (!row(other).memory.can_be_reached()) return false;
    return true;
}

void Board::leave(std::uint64_t rounds) {
    Row& own = row(rank_);
    own.left.store(rounds, std::memory_order_release);
    own.bell.ring();
}

void Board::await_left(std::uint64_t rounds) {
    if (all_left_ >= rounds) return;
    std::uint64_t least = ~std::uint64_t(0);
    for (int other = 0; other < size_; ++other) {
        if (other == rank_) continue;
        Row& there = row(other);
        patience_.wait(there.bell, [&] { return there.left.load(std::memory_order_acquire) >= rounds; });
        least = std::min(least, there.left.load(std::memory_order_acquire));
    }
    all_left_ = least;
}

}  // namespace echelon
