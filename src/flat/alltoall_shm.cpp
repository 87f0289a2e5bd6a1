// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/alltoall.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// Shared memory: every rank puts its input slot by slot, and copies its block from all others' slots. Long
/// blocks are read in place from the inputs.
///
/// Cost: one hand-over; each rank reads and writes 2 n bytes. Long blocks take two hand-overs and n bytes.
/// Without a window: pairwise.  Needs: nothing.  Source: see bcast_shm.
void alltoall_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return alltoall_pairwise(link, args);
    const int p = link.size(), me = link.rank();
    const Blocks to(args.input, p), from(args.data, p);
    if (exposes(link, *window, args.data.count / std::size_t(p))) {
        window->expose(0, args.input);
        link.copy(from[me], to[me]);
        for (int step = 1; step < p; ++step) {
            const int owner = wrap(me + step, p);
            window->get(0, owner, to[me].offset - args.input.offset, from[owner]);
        }
        return end_exposed(*window, 1);
    }
    const Segments chunks(args.input, window->shape().elements(link.element_size()));
    link.copy(from[me], to[me]);
    in_stages(
        *window, 1, chunks.size(), [&](std::size_t i) { window->put(i, chunks[i]); },
        [&](std::size_t i) {
            const Slice here = common(args.input, chunks[i], to[me]);
            for (int step = 1; step < p && !here.empty(); ++step) {
                const int owner = wrap(me + step, p);
                window->get(i, owner, here.offset - chunks[i].offset,
                            from[owner].part(here.offset - to[me].offset, here.count));
            }
        });
}

}  // namespace echelon
