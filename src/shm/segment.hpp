// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace echelon {

/// Memory that several processes of a node map: anonymous, zero at first, made page by page as it is touched
/// (so that a page lies near the one who writes it first). It has no name in any file system: nothing is left
/// of it when its last process has gone, whatever ended that.
class Segment {
public:
    /// Where others find it: an open file of a process.
    struct Address {
        std::int64_t process = 0;
        std::int64_t file = -1;
        std::uint64_t bytes = 0;
        /// Stands at the beginning of the memory: another process of that number has something else.
        std::uint64_t mark = 0;
    };

    /// Nullopt: the system gives none.
    static std::optional<Segment> make(Bytes bytes);
    /// Nullopt: it cannot be reached from here.
    static std::optional<Segment> open(const Address& address);

    Segment(Segment&& other) noexcept
        : memory_(std::exchange(other.memory_, nullptr)),
          bytes_(other.bytes_),
          file_(std::exchange(other.file_, -1)) {}
    Segment& operator=(Segment&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(bytes_, other.bytes_);
        std::swap(file_, other.file_);
        return *this;
    }
    ~Segment();

    Address address() const;
    /// Nobody can open it any more; who has it keeps it.
    void hide();

    /// What is left for use.
    std::byte* memory() const { return memory_ + reserved; }
    static constexpr Bytes reserved = 128;

private:
    Segment(std::byte* memory, Bytes bytes, int file) : memory_(memory), bytes_(bytes), file_(file) {}

    std::byte* memory_;
    Bytes bytes_;
    int file_;
};

}  // namespace echelon
