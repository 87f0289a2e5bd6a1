// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/bcast.hpp"
#include "flat/rounds.hpp"

namespace echelon {
namespace {

/// Most ranks with which the root copies, too: the system's copies take a core each. Among more ranks its
/// share is small, and a late rank would keep the root from serving the others.
constexpr int most_that_are_given = 4;

/// The other ranks read the first shares of the vector, `sent` by the root; the root writes the last one to
/// them.
void copy_once(Link& link, Window& window, const Args& args, const Slice& sent) {
    const int p = link.size(), me = link.rank();
    const Slice last = p > 1 && p <= most_that_are_given ? Blocks(sent, p)[p - 1] : sent.part(sent.count, 0);
    const Slice first = sent.part(0, sent.count - last.count);
    if (me == args.root) {
        window.expose(0, args.data);
        for (int step = 1; step < p && !last.empty(); ++step) {
            const int other = wrap(me + step, p);
            // A rank that expects less has less room.
            window.give(0, other, 0, last.part(0, window.whole(0, other, last.count)));
        }
        window.put(1, last.part(0, 0));
        return end_exposed(window, 2);
    }
    window.offer(0, common(sent, last, args.data));
    window.get(0, args.root, 0, common(sent, first, args.data));
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
    // The root's length decides on the rounds, also if another rank expects more or less.
    const Slice sent =
        args.data.part(0, is_root ? args.data.count : window->whole(0, args.root, args.data.count));
    if (sent.count != args.data.count) window->differ(sent.count, args.data.count);
    if (exposes(link, *window, sent.count)) return copy_once(link, *window, args, sent);
    const std::size_t slot = window->shape().elements(link.element_size());
    if (sent.count <= slot) {  // stages would take as long as the rest of a short call
        if (is_root)
            window->put(0, sent);
        else
            window->get(0, args.root, 0, args.data.part(0, std::min(sent.count, args.data.count)));
        return window->end(1);
    }
    const Segments chunks(sent, slot);
    in_stages(
        *window, 1, chunks.size(),
        [&](std::size_t i) {
            if (is_root) window->put(i, chunks[i], sent.count);
        },
        [&](std::size_t i) {
            if (!is_root) window->get(i, args.root, 0, common(sent, chunks[i], args.data));
        });
}

}  // namespace echelon
