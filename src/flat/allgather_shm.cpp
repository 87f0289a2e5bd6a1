// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allgather.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// Shared memory: every rank puts its block slot by slot and copies the other blocks from their slots. Long
/// blocks are read in place from their owners.
///
/// Cost: one hand-over; each rank reads and writes n bytes, and its own block once more. Long blocks take two
/// hand-overs and n bytes. Without a window: circulant.  Needs: nothing.  Source: see bcast_shm.
void allgather_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return allgather_circulant(link, args);
    const int p = link.size(), me = link.rank();
    if (exposes(link, *window, args.blocks.whole().count / std::size_t(p))) {
        window->expose(0, args.blocks[me]);
        for (int step = 1; step < p; ++step) {
            const int owner = wrap(me + step, p);
            window->get(0, owner, 0, args.blocks[owner]);
        }
        return end_exposed(*window, 1);
    }
    const BlockChunks chunks(args.blocks, p, window->shape().elements(link.element_size()));
    in_stages(
        *window, 1, chunks.size(), [&](std::size_t i) { window->put(i, chunks(me, i)); },
        [&](std::size_t i) {
            for (int step = 1; step < p; ++step) {
                const int owner = wrap(me + step, p);
                window->get(i, owner, 0, chunks(owner, i));
            }
        });
}

}  // namespace echelon
