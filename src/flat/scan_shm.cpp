// SPDX-License-Identifier: Apache-2.0
#include "flat/rounds.hpp"
#include "flat/scan.hpp"

namespace echelon {

/// In shared memory: everybody puts, and combines the inputs up to its own from where they lie.
///
/// Rank 0 waits for nobody but those that are a window behind.
/// Cost: one hand-over, (p + 1) n read and written by the last rank. Without a window: recursive doubling.
/// Needs: nothing.  Source: as allreduce_shm.
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
