// SPDX-License-Identifier: Apache-2.0
#include "flat/bcast.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// In shared memory: the root puts slot after slot, and all others copy from there.
///
/// The root leaves when it has put; it waits only for ranks that are a window behind.
/// Cost: one hand-over, 2 n read and written by each. Without a window: binomial.  Needs: nothing.
/// Source: MPICH's release_gather.
void bcast_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return bcast_binomial(link, args);
    const bool is_root = link.rank() == args.root;
    const Segments chunks(args.data, window->shape().elements(link.element_size()));
    in_stages(
        *window, 1, chunks.size(),
        [&](std::size_t i) {
            if (is_root) window->put(i, chunks[i]);
        },
        [&](std::size_t i) {
            if (!is_root) window->get(i, args.root, 0, chunks[i]);
        });
}

/// Of the messages that stand in for a window.
Cost bcast_shm_cost(const Problem& problem) { return bcast_binomial_cost(problem); }

}  // namespace echelon
