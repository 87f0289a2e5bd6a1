// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/link.hpp"

#include <algorithm>
#include <utility>

namespace echelon {

/// The link's window where it can serve: elements fit into its slots. Nullptr: messages must do. The same on
/// all ranks.
inline Window* window_of(Link& link) {
    Window* const window = link.window();
    return window != nullptr && window->shape().elements(link.element_size()) > 0 ? window : nullptr;
}

/// Elements, so many of which one rank needs of another, are read where they lie. The same on all ranks.
inline bool exposes(const Link& link, const Window& window, std::size_t count) {
    return window.shape().exposes(count, link.element_size());
}

/// After rounds in which elements were exposed: nobody reads any more what this rank exposed.
inline void end_exposed(Window& window, std::size_t rounds) {
    window.leave(rounds);
    window.withdraw(rounds);
    window.end(rounds);
}

/// Takes `chunks` chunks through stages, each of them `rounds` rounds: `stage(chunk)` for all stages in turn.
/// The first stage, which puts, is some chunks ahead of the second, that ahead of the third, so that ranks
/// seldom wait; so far that what is under way fits into half of the slots where that is enough. Requires:
/// rounds * (stages - 1) < depth.
template <class... Stage>
void in_stages(Window& window, std::size_t rounds, std::size_t chunks, Stage&&... stage) {
    constexpr std::size_t behind = sizeof...(Stage) - 1;  // of the last stage
    // What is short is in one chunk: all of its time counts.
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
    window.end(rounds * chunks);  // which leaves them
}

/// What two slices of a vector have in common; where that is nothing, an empty slice of the second. The vector
/// may be one of which only a part exists, and begin before its buffer does.
inline Slice common(const Slice& vector, const Slice& a, const Slice& b) {
    const std::size_t a_from = a.offset - vector.offset, b_from = b.offset - vector.offset;
    const std::size_t begin = std::max(a_from, b_from), end = std::min(a_from + a.count, b_from + b.count);
    return begin < end ? vector.part(begin, end - begin) : b.part(0, 0);
}

/// Blocks that are put slot after slot, all of them at once: as many rounds as the longest takes.
class BlockChunks {
public:
    BlockChunks(const Blocks& blocks, int p, std::size_t length) : blocks_(blocks), length_(length) {
        for (int owner = 0; owner < p; ++owner)
            size_ = std::max(size_, Segments(blocks[owner], length).size());
    }
    std::size_t size() const { return size_; }
    /// What a rank puts in round i; empty when its block has ended.
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

/// Where every rank reads all inputs, all of them read everything: from so many ranks on, and for vectors
/// above so many bytes, each combines a share and reads the others' results instead. An input is then read
/// twice and a result once more, whatever p is; a second meeting costs what some thousand bytes do.
constexpr int most_readers = 3;
constexpr Bytes short_in_window = 4096;
inline bool in_shares(const Link& link, const Slice& data) {
    return link.size() > most_readers && data.count * link.element_size() > short_in_window;
}

}  // namespace echelon
