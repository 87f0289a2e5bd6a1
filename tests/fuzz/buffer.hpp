// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/layout.hpp"

#include <optional>

namespace fuzz {

/// `count` elements, `at` bytes behind a buffer's address.
struct Block {
    long count;
    std::ptrdiff_t at;
};

/// Where a buffer's memory is.
enum class Placing {
    heap,       // guards of its own bytes around it
    page_end,   // behind its last byte is a page that nobody may touch
    page_begin  // before its first byte
};

/// Memory that a call may touch, with guards around it. Where elements lie gigabytes apart, only what is near
/// to them is filled and looked at.
class Buffer {
public:
    Buffer(const Map& map, const std::vector<Block>& blocks, Placing placing = Placing::heap);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    /// What MPI is given.
    std::byte* address() const { return memory_ - begin_; }
    /// All bytes, guards and gaps included, from this seed.
    void fill(std::uint64_t seed);
    /// Whoever writes to it from now on crashes; not on the heap.
    void make_read_only();

    struct Difference {
        std::ptrdiff_t at;
        int is, other;
        long bytes;  // how many differ in all
        const char* where;
    };
    /// The first byte in which it differs from another one of the same shape, but for the padding of long
    /// doubles.
    std::optional<Difference> compare(const Buffer& other) const;

private:
    /// At the border of a page.
    void place(Placing placing);
    struct Region {
        std::ptrdiff_t begin, end;
    };
    bool is_padding(std::ptrdiff_t at) const;
    const char* place(std::ptrdiff_t at) const;

    const Map map_;
    const std::vector<Block> blocks_;
    std::ptrdiff_t begin_ = 0, end_ = 0;
    std::vector<Region> regions_;
    std::byte* memory_ = nullptr;
    /// What was mapped for it; none on the heap.
    std::byte* area_ = nullptr;
    std::size_t area_bytes_ = 0;
};

}  // namespace fuzz
