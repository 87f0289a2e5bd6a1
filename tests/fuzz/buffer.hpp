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

/// Place of a buffer's memory.
enum class Placing {
    heap,       // guards of its own bytes around it
    page_end,   // an inaccessible page follows its last byte
    page_begin  // an inaccessible page precedes its first byte
};

/// Memory that a call may touch, with guards around it. If elements lie gigabytes apart, only memory near
/// them is filled and compared.
class Buffer {
public:
    Buffer(const Map& map, const std::vector<Block>& blocks, Placing placing = Placing::heap);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    /// The address to pass to MPI.
    std::byte* address() const { return memory_ - begin_; }
    /// Fills all bytes, guards and gaps included, from this seed.
    void fill(std::uint64_t seed);
    /// Later writes crash; not available on the heap.
    void make_read_only();

    struct Difference {
        std::ptrdiff_t at;
        int is, other;
        long bytes;  // number of all differing bytes
        const char* where;
    };
    /// The first byte that differs from another buffer of this shape; padding of long doubles is ignored.
    std::optional<Difference> compare(const Buffer& other) const;

private:
    /// Aligns it with the border of a page.
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
    /// The mapped area; null on the heap.
    std::byte* area_ = nullptr;
    std::size_t area_bytes_ = 0;
};

}  // namespace fuzz
