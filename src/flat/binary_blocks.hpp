// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/cost.hpp"
#include "core/link.hpp"

#include <vector>

namespace echelon {

/// Divides p ranks into blocks of consecutive ranks, one for each binary digit of p, the largest first
/// (Rabenseifner 2004, section 3.6).
///
///   p = 13    block 0: ranks 0 .. 7    block 1: ranks 8 .. 11    block 2: rank 12
class BinaryBlocks {
public:
    explicit BinaryBlocks(int p);

    int count() const { return int(first_.size()) - 1; }
    int first(int block) const { return first_[std::size_t(block)]; }
    int size(int block) const { return first(block + 1) - first(block); }
    int block_of(int rank) const;
    std::vector<int> members(int block) const;

private:
    std::vector<int> first_;
};

/// Parts of a vector, counted in runs of `factor` consecutive parts.
struct CoarseParts {
    Blocks parts;
    int factor;
    Slice range(int first, int last) const { return parts.range(first * factor, last * factor); }
};

/// Reduce-scatter over the ranks of the largest block, in rank order. Afterwards each of these ranks has the
/// result of its part in near_first order (Butterfly). Every block halves; then each block, the smallest
/// first, sends its parts to the next larger one, which holds them in smaller pieces.
void reduce_scatter_in_blocks(Link& link, const BinaryBlocks& blocks, const Blocks& parts);

/// Upper bound of the cost until the last rank of the largest block has its part. `bytes`: of the vector.
Cost reduce_scatter_in_blocks_cost(const BinaryBlocks& blocks, double bytes);

}  // namespace echelon
