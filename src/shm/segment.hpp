// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace echelon {

/// Memory that several processes of a node map: anonymous, zero at first, allocated page by page on first
/// touch (a page lies near its first writer). It has no name in any file system and vanishes with its last
/// process, however that ends.
class Segment {
public:
    /// The address for other processes: an open file of a process.
    struct Address {
        std::int64_t process = 0;
        std::int64_t file = -1;
        std::uint64_t bytes = 0;
        /// The first word of the memory; it differs in a file of another process with the same id.
        std::uint64_t mark = 0;
    };

    /// Empty if the system provides none.
    static std::optional<Segment> make(Bytes bytes);
    /// Empty if it cannot be reached from here.
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
    /// Prevents further opens; processes that have it keep it.
    void hide();

    /// The usable memory, behind the mark.
    std::byte* memory() const { return memory_ + reserved; }
    static constexpr Bytes reserved = 128;

private:
    Segment(std::byte* memory, Bytes bytes, int file) : memory_(memory), bytes_(bytes), file_(file) {}

    std::byte* memory_;
    Bytes bytes_;
    int file_;
};

}  // namespace echelon
