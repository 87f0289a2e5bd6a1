// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/link.hpp"

#include <algorithm>
#include <utility>

namespace echelon {

/// The link's window; nullptr if there is none or an element does not fit into a slot, in which case
/// algorithms send messages. The result is equal on all ranks.
inline Window* window_of(Link& link) {
    Window* const window = link.window();
    return window != nullptr && window->shape().elements(link.element_size()) > 0 ? window : nullptr;
}

/// True if `count` elements that one rank reads of another are exposed in place rather than put. The result
/// is equal on all ranks.
inline bool exposes(const Link& link, const Window& window, std::size_t count) {
    return window.shape().exposes(count, link.element_size());
}

/// Ends rounds in which the rank exposed elements. Waits until no rank reads them.
inline void end_exposed(Window& window, std::size_t rounds) {
    window.leave(rounds);
    window.withdraw(rounds);
    window.end(rounds);
}

/// Takes `chunks` chunks, of `rounds` rounds each, through stages: calls `stage(chunk)` of all stages in
/// turn. Every stage runs some chunks ahead of the next one, to keep ranks from waiting. The chunks under way
/// fill at most half of the slots if that is possible. Requires: rounds * (stages - 1) < depth.
template <class... Stage>
void in_stages(Window& window, std::size_t rounds, std::size_t chunks, Stage&&... stage) {
    constexpr std::size_t behind = sizeof...(Stage) - 1;  // stages before the last one
    // A single chunk leaves no room for a lead.
    const std::size_t ahead =
        chunks <= 1 ? 1 : std::clamp<std::size_t>(window.shape().depth / (2 * rounds * behind), 1, chunks);
    for (std::size_t time = 0; time < chunks + behind * ahead; ++time) {
        std::size_t late = 0;
        const auto run = [&](auto& one) {
            if (time >= late && time - late < chunks) one(time - late);
            late += ahead;
        };
        (run(stage), ...);
        if (time >= behind * ahead && time + 1 < chunks + behind * ahead)
            window.leave(rounds * (time - behind * ahead + 1));
    }
    window.end(rounds * chunks);  // leaves the last rounds, too
}

/// The elements that two slices of a vector share; an empty slice of `b` if they share none. The vector may
/// exist only in part, and begin before its buffer.
inline Slice common(const Slice& vector, const Slice& a, const Slice& b) {
    const std::size_t a_from = a.offset - vector.offset, b_from = b.offset - vector.offset;
    const std::size_t begin = std::max(a_from, b_from), end = std::min(a_from + a.count, b_from + b.count);
    return begin < end ? vector.part(begin, end - begin) : b.part(0, 0);
}

/// The blocks of all ranks, put in parallel, one slot per round: as many rounds as the longest block takes.
class BlockChunks {
public:
    BlockChunks(const Blocks& blocks, int p, std::size_t length) : blocks_(blocks), length_(length) {
        for (int owner = 0; owner < p; ++owner)
            size_ = std::max(size_, Segments(blocks[owner], length).size());
    }
    std::size_t size() const { return size_; }
    /// The elements that `owner` puts in round i; empty after the end of its block.
    Slice operator()(int owner, std::size_t i) const {
        const Slice block = blocks_[owner];
        const std::size_t from = std::min(i * length_, block.count);
        return block.part(from, std::min(length_, block.count - from));
    }

private:
    const Blocks& blocks_;
    std::size_t length_;
    std::size_t size_ = 0;
};

/// If every rank reads every input, each rank reads p vectors. With more than `most_readers` ranks and more
/// than `short_in_window` bytes, each rank instead combines one share and reads the results of the others: an
/// input is read twice and a result once, for any p. The second synchronisation costs about as much as
/// reading some thousand bytes.
constexpr int most_readers = 3;
constexpr Bytes short_in_window = 4096;
inline bool in_shares(const Link& link, const Slice& data) {
    return link.size() > most_readers && data.count * link.element_size() > short_in_window;
}

}  // namespace echelon
