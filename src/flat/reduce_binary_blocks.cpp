// SPDX-License-Identifier: Apache-2.0
#include "core/member_link.hpp"
#include "flat/binary_blocks.hpp"
#include "flat/halving.hpp"
#include "flat/reduce.hpp"

namespace echelon {

/// Binary blocks: the reduce-scatter of allreduce_binary_blocks, then a binomial gather in the largest block.
/// A root outside of that block takes the place of rank 0, and first receives rank 0's part.
///
/// Cost: halving in and gather from the largest block, and 2^d messages more for each step from a block to
/// one that is 2^d times as large.
void reduce_binary_blocks(Link& link, const Args& args) {
    const BinaryBlocks blocks(link.size());
    const int size = blocks.size(0), me = link.rank();
    const Blocks parts(args.data, size);
    reduce_scatter_in_blocks(link, blocks, parts);

    std::vector<int> members = blocks.members(0);
    if (args.root >= size) {
        if (me == 0) return link.send(args.root, parts[0]);
        if (me == args.root) link.receive(0, parts[0]);
        members[0] = args.root;
    }
    if (me >= size && me != args.root) return;
    MemberLink inside(link, members);
    gather_up(inside, Fold(size), Butterfly(size, inside.rank(), Butterfly::Order::near_first), parts,
              args.root < size ? args.root : 0);
}

Cost reduce_binary_blocks_cost(const Problem& problem) {
    const BinaryBlocks blocks(problem.p);
    const double n = double(problem.bytes), size = blocks.size(0);
    return (reduce_scatter_in_blocks_cost(blocks, n) +
            Cost{double(floor_log2(blocks.size(0))), n - n / size, 0})
        .with_latencies(2 * floor_log2(problem.p));
}

}  // namespace echelon
