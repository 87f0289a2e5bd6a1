// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allreduce.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// Shared memory: every rank puts its vector, and combines all inputs into its own result straight from their
/// slots.
///
///   p = 3     rank 0                     rank 1                     rank 2
///   round 0   put 0                      put 1                      put 2
///             data = 0 + 1 + 2           data = 0 + 1 + 2           data = 0 + 1 + 2
///
/// Long vectors of many ranks: in every second round each rank puts its share of the result.
///
///   round 0   put 0                      put 1                      put 2
///             share 0 = 0 + 1 + 2        share 1 = 0 + 1 + 2        share 2 = 0 + 1 + 2
///   round 1   put share 0, get 1, 2      put share 1, get 0, 2      put share 2, get 0, 1
///
/// Both go slot by slot, some slots ahead. All ranks combine in rank order with the same brackets.
/// Cost: one hand-over; each rank reads and writes (p + 1) n bytes. Shares take two hand-overs and 5 n bytes.
/// Without a window: recursive doubling.
void allreduce_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return allreduce_recursive_doubling(link, args);
    const int p = link.size(), me = link.rank();
    const Segments chunks(args.data, window->shape().elements(link.element_size()));
    if (!in_shares(link, args.data)) {
        return in_stages(
            *window, 1, chunks.size(), [&](std::size_t i) { window->put(i, chunks[i]); },
            [&](std::size_t i) { window->fold(i, p, 0, chunks[i]); });
    }
    in_stages(
        *window, 2, chunks.size(), [&](std::size_t i) { window->put(2 * i, chunks[i]); },
        [&](std::size_t i) {
            const Slice share = Blocks(chunks[i], p)[me];
            window->fold(2 * i, p, share.offset - chunks[i].offset, share);
            window->put(2 * i + 1, share);
        },
        [&](std::size_t i) {
            const Blocks shares(chunks[i], p);
            for (int step = 1; step < p; ++step) {
                const int owner = wrap(me + step, p);
                window->get(2 * i + 1, owner, 0, shares[owner]);
            }
        });
}

}  // namespace echelon
