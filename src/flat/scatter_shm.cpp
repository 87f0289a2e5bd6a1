// SPDX-License-Identifier: Apache-2.0
#include "flat/rounds.hpp"
#include "flat/scatter.hpp"

namespace echelon {

/// Shared memory: the root puts the vector slot by slot, and every other rank copies its block from the
/// slots. Long blocks are read in place from the root, which then waits for all others.
///
/// Cost: one hand-over; the root reads and writes n bytes. Long blocks take two hand-overs and one block by
/// each rank. Without a window: binomial.  Needs: nothing.  Source: see bcast_shm.
void scatter_shm(Link& link, const Args& args) {
    Window* const window = window_of(link);
    if (window == nullptr) return scatter_binomial(link, args);
    const bool is_root = link.rank() == args.root;
    const Slice own = args.blocks[link.rank()];
    // The root's length decides on the rounds and on the blocks, also if another rank expects more or less.
    const Slice sent =
        args.data.part(0, is_root ? args.data.count : window->whole(0, args.root, args.data.count));
    const bool differs = sent.count != args.data.count;
    const Slice theirs = differs ? Blocks(sent, link.size())[link.rank()] : own;
    // MPI libraries do not report shorter data here.
    if (theirs.count > own.count) window->differ(theirs.count, own.count);
    /// The part of this rank's block that lies in `chunk`, in the root's vector and in this rank's room.
    const auto get_from = [&](std::size_t round, const Slice& chunk) {
        const Slice here = common(sent, chunk, theirs.part(0, std::min(theirs.count, own.count)));
        if (!here.empty())
            window->get(round, args.root, here.offset - chunk.offset,
                        own.part(here.offset - theirs.offset, here.count));
    };
    if (exposes(link, *window, (differs ? sent : args.blocks.whole()).count / std::size_t(link.size()))) {
        if (is_root) {
            window->expose(0, args.data);
            return end_exposed(*window, 1);
        }
        get_from(0, sent);
        return window->end(1);
    }
    const Segments chunks(sent, window->shape().elements(link.element_size()));
    in_stages(
        *window, 1, chunks.size(),
        [&](std::size_t i) {
            if (is_root) window->put(i, chunks[i], sent.count);
        },
        [&](std::size_t i) {
            if (!is_root) get_from(i, chunks[i]);
        });
}

}  // namespace echelon
