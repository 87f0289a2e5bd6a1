// SPDX-License-Identifier: Apache-2.0
#include "flat/rounds.hpp"
#include "flat/scan.hpp"

namespace echelon {

/// Shared memory: every rank puts its vector, and combines the inputs up to its own from their slots.
///
/// Rank 0 waits only for ranks that are a window behind.
/// Cost: one hand-over; the last rank reads and writes (p + 1) n bytes. Without a window: recursive doubling.
/// Needs: nothing.  Source: see allreduce_shm.
void scan_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return scan_recursive_doubling(link, args);
    const int me = link.rank();
    const Segments chunks(args.data, window->shape().elements(link.element_size()));
    in_stages(
        *window, 1, chunks.size(), [&](std::size_t i) { window->put(i, chunks[i]); },
        [&](std::size_t i) { window->fold(i, me + 1, 0, chunks[i]); });
}

}  // namespace echelon
