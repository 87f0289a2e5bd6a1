// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/bcast.hpp"
#include "flat/rounds.hpp"

namespace echelon {
namespace {

/// The system's copies take a core each: the root takes part. Among more ranks its part is small, and a rank that
/// is late would keep the root from the others.
constexpr int most_that_are_given = 4;

/// The others read the first shares of the vector, and are given the last.
void copy_once(Link& link, Window& window, const Args& args) {
    const int p = link.size(), me = link.rank();
    const Slice last =
        p > 1 && p <= most_that_are_given ? Blocks(args.data, p)[p - 1] : args.data.part(args.data.count, 0);
    const Slice first = args.data.part(0, args.data.count - last.count);
    if (me == args.root) {
        window.expose(0, args.data);
        for (int step = 1; step < p; ++step)
            if (!last.empty()) window.give(0, wrap(me + step, p), 0, last);
        window.put(1, last.part(0, 0));
        return end_exposed(window, 2);
    }
    window.offer(0, last);
    window.get(0, args.root, 0, first);
    window.get(1, args.root, 0, last.part(0, 0));
    window.accept(0);
    window.end(2);
}

}  // namespace

/// In shared memory: the root puts slot after slot, and all others copy from there.
///
/// The root leaves when it has put; it waits only for ranks that are a window behind. Long vectors all others
/// copy from where the root has them, which then waits for all of them.
/// Cost: one hand-over, 2 n read and written by each; of long vectors two, n. Without a window: binomial.
/// Needs: nothing.  Source: MPICH's release_gather.
void bcast_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return bcast_binomial(link, args);
    const bool is_root = link.rank() == args.root;
    if (exposes(link, *window, args.data.count)) return copy_once(link, *window, args);
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

}  // namespace echelon
