// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/bcast.hpp"
#include "flat/rounds.hpp"

namespace echelon {
namespace {

/// Most ranks with which the root copies, too: the system's copies take a core each. Among more ranks its
/// share is small, and a late rank would keep the root from serving the others.
constexpr int most_that_are_given = 4;

/// The other ranks read the first shares of the vector; the root writes the last one to them.
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

/// Shared memory: the root puts slot by slot, and all others copy from the slots.
///
/// The root leaves when it has put everything; it waits only for ranks that are a window behind. Long vectors
/// are read in place from the root, which then waits for all others.
/// Cost: one hand-over; each rank reads and writes 2 n bytes. Long vectors take two hand-overs and n bytes.
/// Without a window: binomial.
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
