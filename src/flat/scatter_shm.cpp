// SPDX-License-Identifier: Apache-2.0
#include "flat/rounds.hpp"
#include "flat/scatter.hpp"

namespace echelon {

/// Shared memory: the root puts the vector slot by slot, and every other rank copies its block from the
/// slots. Long blocks are read in place from the root, which then waits for all others.
///
/// Cost: one hand-over; the root reads and writes n bytes. Long blocks take two hand-overs and one block by
/// each rank. Without a window: binomial.  Needs: nothing.  Source: see bcast_shm.
void scatter_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return scatter_binomial(link, args);
    const bool is_root = link.rank() == args.root;
    const Slice own = args.blocks[link.rank()];
    if (exposes(link, *window, args.blocks.whole().count / std::size_t(link.size()))) {
        if (is_root) {
            window->expose(0, args.data);
            return end_exposed(*window, 1);
        }
        window->get(0, args.root, own.offset - args.data.offset, own);
        return window->end(1);
    }
    const Segments chunks(args.data, window->shape().elements(link.element_size()));
    in_stages(
        *window, 1, chunks.size(),
        [&](std::size_t i) {
            if (is_root) window->put(i, chunks[i]);
        },
        [&](std::size_t i) {
            const Slice here = common(args.data, chunks[i], own);
            if (!is_root && !here.empty()) window->get(i, args.root, here.offset - chunks[i].offset, here);
        });
}

}  // namespace echelon
