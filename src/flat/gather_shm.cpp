// SPDX-License-Identifier: Apache-2.0
#include "flat/gather.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// Shared memory: all ranks but the root put their block slot by slot, and the root copies from the slots.
/// Long blocks are written straight into the root's vector by their owners.
///
/// Cost: one hand-over; the root reads and writes n bytes. Long blocks take two hand-overs and one block by
/// each rank. Without a window: binomial.  Needs: nothing.  Source: see bcast_shm.
void gather_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return gather_binomial(link, args);
    const int p = link.size(), me = link.rank();
    if (exposes(link, *window, args.blocks.whole().count / std::size_t(p))) {
        // All ranks write their block into the root's vector at the same time.
        const Slice own = args.blocks[me];
        if (me == args.root) {
            window->offer(0, args.data);
            window->withdraw(1);
            window->accept(0);
            return window->end(1);
        }
        window->give(0, args.root, own.offset - args.data.offset, own);
        return window->end(1);
    }
    const BlockChunks chunks(args.blocks, p, window->shape().elements(link.element_size()));
    in_stages(
        *window, 1, chunks.size(),
        [&](std::size_t i) {
            if (me != args.root) window->put(i, chunks(me, i));
        },
        [&](std::size_t i) {
            for (int owner = 0; owner < p && me == args.root; ++owner)
                if (owner != me) window->get(i, owner, 0, chunks(owner, i));
        });
}

}  // namespace echelon
