// SPDX-License-Identifier: Apache-2.0
#include "flat/binary_blocks.hpp"

#include "core/member_link.hpp"
#include "flat/halving.hpp"

#include <algorithm>
#include <numeric>

namespace echelon {

BinaryBlocks::BinaryBlocks(int p) {
    int first = 0;
    for (int size = 1 << floor_log2(p); size > 0; size /= 2) {
        if ((p & size) == 0) continue;
        first_.push_back(first);
        first += size;
    }
    first_.push_back(p);
}

int BinaryBlocks::block_of(int rank) const {
    return int(std::upper_bound(first_.begin(), first_.end(), rank) - first_.begin()) - 1;
}

std::vector<int> BinaryBlocks::members(int block) const {
    std::vector<int> ranks(std::size_t(size(block)));
    std::iota(ranks.begin(), ranks.end(), first(block));
    return ranks;
}

void reduce_scatter_in_blocks(Link& link, const BinaryBlocks& blocks, const Blocks& parts) {
    const int block = blocks.block_of(link.rank()), size = blocks.size(block);
    MemberLink inside(link, blocks.members(block));
    const int own = inside.rank();
    const Butterfly butterfly(size, own, Butterfly::Order::near_first);
    const CoarseParts coarse{parts, parts.parts() / size};
    halve(inside, Fold(size), butterfly, coarse);

    if (block + 1 < blocks.count()) {
        const int from = blocks.first(block + 1) + own % blocks.size(block + 1);
        link.receive_reduce(from, coarse.range(butterfly.part(), butterfly.part() + 1), Side::after);
    }
    if (block == 0) return;
    const int larger = blocks.size(block - 1);
    const CoarseParts fine{parts, parts.parts() / larger};
    std::vector<Link::Ticket> sends;
    for (int to = own; to < larger; to += size) {
        const int part = Butterfly(larger, to, Butterfly::Order::near_first).part();
        sends.push_back(link.start_send(blocks.first(block - 1) + to, fine.range(part, part + 1)));
    }
    for (const Link::Ticket send : sends) link.wait(send);
}

Cost reduce_scatter_in_blocks_cost(const BinaryBlocks& blocks, double bytes) {
    const auto halving = [&](int block) {
        const double moved = bytes - bytes / blocks.size(block);
        return Cost{double(floor_log2(blocks.size(block))), moved, moved};
    };
    Cost last = halving(blocks.count() - 1);
    for (int block = blocks.count() - 2; block >= 0; --block) {
        const double pieces = double(blocks.size(block)) / blocks.size(block + 1);
        last = at_least(last, halving(block)) +
               Cost{pieces, bytes / blocks.size(block + 1), bytes / blocks.size(block)};
    }
    return last;
}

}  // namespace echelon
