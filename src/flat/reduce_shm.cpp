// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// Shared memory: all ranks but the root put their vector, and the root combines from the slots. Long vectors
/// of many ranks: each rank combines its share of every slot, and the root gets the shares.
///
///   p = 3     rank 0 (root)              rank 1                     rank 2
///   round 0   data = 0 + 1 + 2           put 1                      put 2
///
/// The other ranks leave when they have put everything. Operands stand in rank order for any root.
/// Cost: one hand-over; the root reads and writes (p + 1) n bytes. Shares take two hand-overs, 3 n bytes by
/// each rank, and 2 n more by the root. Without a window: binomial.  Needs: nothing.  Source: see
/// allreduce_shm.
void reduce_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return reduce_binomial(link, args);
    const int p = link.size(), me = link.rank();
    const bool is_root = me == args.root;
    const Segments chunks(args.data, window->shape().elements(link.element_size()));
    if (!in_shares(link, args.data)) {
        return in_stages(
            *window, 1, chunks.size(),
            [&](std::size_t i) {
                if (!is_root) window->put(i, chunks[i]);
            },
            [&](std::size_t i) {
                if (is_root) window->fold(i, p, 0, chunks[i]);
            });
    }
    in_stages(
        *window, 2, chunks.size(), [&](std::size_t i) { window->put(2 * i, chunks[i]); },
        [&](std::size_t i) {
            const Slice share = Blocks(chunks[i], p)[me];
            window->fold(2 * i, p, share.offset - chunks[i].offset, share);
            if (!is_root) window->put(2 * i + 1, share);
        },
        [&](std::size_t i) {
            const Blocks shares(chunks[i], p);
            for (int owner = 0; owner < p; ++owner)
                if (is_root && owner != me) window->get(2 * i + 1, owner, 0, shares[owner]);
        });
}

}  // namespace echelon
