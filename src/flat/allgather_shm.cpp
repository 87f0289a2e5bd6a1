// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allgather.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// In shared memory: everybody puts its block slot after slot, and copies all others from there; long blocks from
/// where their owners have them.
///
/// Cost: one hand-over, n read and written by each, and the own block once more; of long ones two, and n.
/// Without a window: circulant.  Needs: nothing.  Source: as bcast_shm.
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
