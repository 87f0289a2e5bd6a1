// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// In shared memory: everybody but the root puts, and the root combines from where they lie. Long vectors of
/// many ranks: each combines its share of every slot, and the root gets the shares.
///
///   p = 3     rank 0 (root)              rank 1                     rank 2
///   round 0   data = 0 + 1 + 2           put 1                      put 2
///
/// The others leave when they have put. Operands stand in rank order for any root.
/// Cost: one hand-over, (p + 1) n read and written by the root; in shares two, 3 n by each, and 2 n more by the root. Without a
/// window: binomial.  Needs: nothing.  Source: as allreduce_shm.
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
