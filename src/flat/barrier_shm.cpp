// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/barrier.hpp"
#include "flat/rounds.hpp"

namespace echelon {

/// Shared memory: every rank puts an empty slice, and waits for the puts of all others.
///
/// Cost: one hand-over. Without a window: dissemination.  Needs: nothing.  Source: the flat barrier of
/// MPICH's release_gather.
void barrier_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return barrier_dissemination(link, args);
    const int p = link.size(), me = link.rank();
    window->put(0, args.data.part(0, 0));
    for (int step = 1; step < p; ++step) window->get(0, wrap(me + step, p), 0, args.data.part(0, 0));
    window->end(1);
}

}  // namespace echelon
