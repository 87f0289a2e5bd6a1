// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce_scatter.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// Shared memory: every rank puts its vector slot by slot, and combines its block of all inputs from their
/// slots.
///
///   p = 2     rank 0                           rank 1
///   round 0   put 0                            put 1
///             block 0 = its part of 0 + 1      block 1 = its part of 0 + 1
///
/// Cost: one hand-over; each rank reads and writes 3 n bytes. Without a window: halving.  Needs: nothing.
/// Source: see allreduce_shm.
void reduce_scatter_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return reduce_scatter_halving(link, args);
    const int p = link.size();
    const Slice own = args.blocks[link.rank()];
    const Segments chunks(args.data, window->shape().elements(link.element_size()));
    in_stages(
        *window, 1, chunks.size(), [&](std::size_t i) { window->put(i, chunks[i]); },
        [&](std::size_t i) {
            const Slice here = common(args.data, chunks[i], own);
            if (!here.empty()) window->fold(i, p, here.offset - chunks[i].offset, here);
        });
}

}  // namespace echelon
