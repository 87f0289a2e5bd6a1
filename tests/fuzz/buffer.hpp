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

/// Memory that a call may touch, with guards around it. Where elements lie gigabytes apart, only what is near
/// to them is filled and looked at.
class Buffer {
public:
    Buffer(const Map& map, const std::vector<Block>& blocks);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    /// What MPI is given.
    std::byte* address() const { return memory_ - begin_; }
    /// All bytes, guards and gaps included, from this seed.
    void fill(std::uint64_t seed);

    struct Difference {
        std::ptrdiff_t at;
        int is, other;
        long bytes;  // how many differ in all
        const char* where;
    };
    /// The first byte in which it differs from another one of the same shape, but for the padding of basic
    /// types.
    std::optional<Difference> compare(const Buffer& other) const;

private:
    struct Region {
        std::ptrdiff_t begin, end;
    };
    bool is_padding(std::ptrdiff_t at) const;
    const char* place(std::ptrdiff_t at) const;

    const Map map_;
    const std::vector<Block> blocks_;
    std::ptrdiff_t begin_ = 0, end_ = 0;
    std::vector<Region> regions_;
    bool mapped_ = false;
    std::byte* memory_ = nullptr;
};

}  // namespace fuzz
