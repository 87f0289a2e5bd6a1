// SPDX-License-Identifier: Apache-2.0
#include "fuzz/buffer.hpp"

#include <sys/mman.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fuzz {
namespace {

constexpr std::ptrdiff_t guard = 64;
constexpr std::ptrdiff_t most_in_one = 64 << 20;
constexpr std::ptrdiff_t page = 4096;
std::ptrdiff_t down(std::ptrdiff_t value) { return (value & ~std::ptrdiff_t(63)); }

[[noreturn]] void no_memory(std::size_t bytes) {
    std::fprintf(stderr, "fuzz: no memory for a buffer of %zu bytes\n", bytes);
    std::_Exit(4);
}

std::byte* mapped(std::size_t bytes, int access) {
    void* const area = mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED) no_memory(bytes);
    return static_cast<std::byte*>(area);
}

}  // namespace

Buffer::Buffer(const Map& map, const std::vector<Block>& blocks, Placing placing)
    : map_(map), blocks_(blocks) {
    bool any = false;
    for (const Block& block : blocks) {
        if (block.count == 0 || map.pieces.empty()) continue;
        const std::ptrdiff_t other_end = (block.count - 1) * map.extent;
        const std::ptrdiff_t low = block.at + map.first + std::min<std::ptrdiff_t>(0, other_end);
        const std::ptrdiff_t high = block.at + map.last + std::max<std::ptrdiff_t>(0, other_end);
        begin_ = any ? std::min(begin_, low) : low;
        end_ = any ? std::max(end_, high) : high;
        any = true;
    }
    const bool wide = end_ - begin_ > most_in_one;
    if (!wide && placing != Placing::heap) {
        place(placing);
        return;
    }
    begin_ = down(begin_) - guard;
    end_ = down(end_) + 2 * guard;
    if (!wide) {
        regions_ = {{begin_, end_}};
        memory_ = static_cast<std::byte*>(std::aligned_alloc(64, std::size_t(end_ - begin_)));
    } else {
        for (const Block& block : blocks)
            for (long i = 0; i < block.count; ++i)
                for (const Piece& piece : map.pieces) {
                    const std::ptrdiff_t at = down(block.at + i * map.extent + piece.at) - guard;
                    regions_.push_back({at, at + 4 * guard});
                }
        std::sort(regions_.begin(), regions_.end(),
                  [](const Region& a, const Region& b) { return a.begin < b.begin; });
        std::vector<Region> joined;
        for (const Region& one : regions_)
            if (!joined.empty() && one.begin <= joined.back().end)
                joined.back().end = std::max(joined.back().end, one.end);
            else
                joined.push_back(one);
        regions_ = std::move(joined);
        end_ = std::max(end_, regions_.back().end);
        area_bytes_ = std::size_t(end_ - begin_);
        memory_ = area_ = mapped(area_bytes_, PROT_READ | PROT_WRITE);
    }
    if (memory_ == nullptr) no_memory(std::size_t(end_ - begin_));
}

Buffer::~Buffer() {
    if (area_ != nullptr)
        munmap(area_, area_bytes_);
    else
        std::free(memory_);
}

void Buffer::place(Placing placing) {
    // The rest of the pages is guard.
    const std::ptrdiff_t length = std::max(page, (end_ - begin_ + page - 1) / page * page);
    if (placing == Placing::page_end)
        begin_ = end_ - length;
    else
        end_ = begin_ + length;
    regions_ = {{begin_, end_}};
    area_bytes_ = std::size_t(length + 2 * page);
    area_ = mapped(area_bytes_, PROT_NONE);
    memory_ = area_ + page;
    if (mprotect(memory_, std::size_t(length), PROT_READ | PROT_WRITE) != 0) no_memory(std::size_t(length));
}

void Buffer::make_read_only() { mprotect(memory_, std::size_t(end_ - begin_), PROT_READ); }

void Buffer::fill(std::uint64_t seed) {
    // Bytes depend on their place only, not on earlier ones.
    for (const Region& region : regions_)
        for (std::ptrdiff_t at = region.begin; at < region.end;) {
            const std::ptrdiff_t next = (at | 7) + 1, end = std::min(next, region.end);
            const std::uint64_t word = mix(seed, at >> 3) >> 8 * (at & 7);
            std::memcpy(address() + at, &word, std::size_t(end - at));
            at = end;
        }
}

std::optional<Buffer::Difference> Buffer::compare(const Buffer& other) const {
    std::optional<Difference> found;
    for (const Region& region : regions_) {
        const std::byte* const ours = address();
        const std::byte* const theirs = other.address();
        // Guards are longer at the end of a page.
        const std::ptrdiff_t begin = std::max(region.begin, other.begin_),
                             end = std::min(region.end, other.end_);
        if (std::memcmp(ours + begin, theirs + begin, std::size_t(end - begin)) == 0) continue;
        for (std::ptrdiff_t at = begin; at < end; ++at) {
            if (ours[at] == theirs[at] || is_padding(at)) continue;
            if (!found) found = Difference{at, int(ours[at]), int(theirs[at]), 0, place(at)};
            if (++found->bytes == 1000) return found;
        }
    }
    return found;
}

bool Buffer::is_padding(std::ptrdiff_t at) const { return std::strcmp(place(at), "padding") == 0; }

const char* Buffer::place(std::ptrdiff_t at) const {
    const char* found =
        at < begin_ + guard ? "the guard before the buffer" : "a gap, or the guard behind the buffer";
    for (const Block& block : blocks_) {
        // Elements that may hold the byte.
        const std::ptrdiff_t step = map_.extent;
        long low = 0, high = block.count;
        if (step > 0 && block.count > 0) {
            low = std::clamp<long>(long((at - block.at - map_.last) / step) - 1, 0, block.count);
            high = std::clamp<long>(long((at - block.at - map_.first) / step) + 2, 0, block.count);
        }
        for (long i = low; i < high; ++i)
            for (const Piece& piece : map_.pieces) {
                const Basic& basic = basics()[std::size_t(piece.basic)];
                const std::ptrdiff_t inside = at - block.at - i * step - piece.at;
                if (inside < 0 || inside >= basic.extent) continue;
                for (const auto& run : basic.runs) {
                    if (inside >= run.at && inside < run.at + run.length) return "data";
                    // Padding of a long double. Bytes between the two of a pair are a gap.
                    if (run.length == 10 && inside >= run.at && inside < run.at + 16) found = "padding";
                }
            }
    }
    return found;
}

}  // namespace fuzz
