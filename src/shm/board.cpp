// SPDX-License-Identifier: Apache-2.0
#include "shm/board.hpp"

#include <algorithm>

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
    if (round >= ahead && all_left_ <= round - ahead) {
        const std::uint64_t before = round - ahead;
        std::uint64_t least = ~std::uint64_t(0);
        for (int other = 0; other < size_; ++other) {
            if (other == rank_) continue;
            Row& there = row(other);
            patience_.wait(there.bell, [&] { return there.left.load(std::memory_order_acquire) > before; });
            least = std::min(least, there.left.load(std::memory_order_acquire));
        }
        all_left_ = least;
    }
    own.bytes = bytes;
    return payload(rank_, round, bytes);
}

void Board::filled(std::uint64_t round) {
    line_of(rank_, round).filled.store(round + 1, std::memory_order_release);
    row(rank_).bell.ring();
}

Board::Put Board::put_by(int owner, std::uint64_t round) const {
    Line& there = line_of(owner, round);
    patience_.wait(row(owner).bell, [&] { return there.filled.load(std::memory_order_acquire) > round; });
    return {payload(owner, round, there.bytes), there.bytes};
}

void Board::leave(std::uint64_t rounds) {
    Row& own = row(rank_);
    own.left.store(rounds, std::memory_order_release);
    own.bell.ring();
}

}  // namespace echelon
