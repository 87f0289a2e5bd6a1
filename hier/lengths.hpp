// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/recorded_team.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace echelon {

// Calls whose ranks know only the lengths of their own blocks. If messages of the recipe hold blocks of other
// ranks, a short program of numbers comes first.
//
// gatherv and scatterv: the same recipe, with one number in place of each block. Each rank hears the
// lengths of exactly the blocks that it will forward, and waits for no rank for which the blocks do not wait.
//
// alltoallv: an allreduce of the longest block. The recipe then runs as an alltoall of blocks of that length,
// the padded Bruck of Fan et al. 2022 for any recipe.

/// The number in place of a block.
struct BlockLength {
    std::uint64_t rank, bytes;
};

/// The numbers that the ranks of an alltoallv agree on, each the maximum of all ranks.
struct LongestBlock {
    /// Bytes of a block, and of the blocks that a rank sends or receives.
    std::uint64_t block = 0, rank = 0;

    /// True if blocks of equal length serve: they add at most 64 KiB to twice the bytes of the busiest rank.
    bool is_padded(int p) const;
};

/// True if the recipe forwards blocks: it needs the program of numbers.
bool forwards_blocks(const Phase& phase);
bool forwards_blocks(const Recipe& recipe, Collective collective);
/// True if the recipe serves calls whose ranks know only their own blocks. In a gather or scatter, native
/// phases and `shm` need a length that all ranks know.
bool serves_own_blocks(const Recipe& recipe, Collective collective);

/// Records the program of numbers for a recipe. Returns the bytes of its vector. For a gather or scatter, it
/// begins with one BlockLength for each rank, and ends with all that the program receives; for an alltoall it
/// is a LongestBlock, of elements of 8 bytes. Requires: `team` has no window.
Bytes record_lengths(const Phase& phase, RecordedTeam& team, int root);
/// Enters the numbers that the program received into `lengths`, which has a length for each rank.
void enter_received(std::span<const BlockLength> received, std::vector<Bytes>& lengths);

/// The phase that serves these blocks: the recipe's, or pairwise exchange if it would have to pad too much.
const Phase& phase_for(const Phase& phase, const std::optional<GivenBlocks>& given);

}  // namespace echelon
