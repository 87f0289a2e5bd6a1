// SPDX-License-Identifier: Apache-2.0
#include "hier/lengths.hpp"

#include "flat/catalog.hpp"
#include "hier/meaning.hpp"

#include <algorithm>

namespace echelon {
namespace {

bool has_native_part(const Recipe& recipe) {
    return recipe.kind == Recipe::Kind::native || std::ranges::any_of(recipe.parts, has_native_part);
}

}  // namespace

bool LongestBlock::is_padded(int p) const {
    constexpr Bytes free = Bytes(64) << 10, most = Bytes(1) << 62;
    return block < most / Bytes(p) && Bytes(p) * block <= 2 * rank + free;
}

bool forwards_blocks(const Phase& phase) {
    return phase.kind != Phase::Kind::flat || !phase.algorithm->own_blocks;
}

bool forwards_blocks(const Recipe& recipe, Collective collective) {
    const Algorithm* const row =
        recipe.kind == Recipe::Kind::flat ? find_algorithm(collective, recipe.name) : nullptr;
    return row == nullptr || !row->own_blocks;
}

bool serves_own_blocks(const Recipe& recipe, Collective collective) {
    return collective == Collective::alltoall || !(has_native_part(recipe) || goes_through_memory(recipe));
}

Bytes record_lengths(const Phase& phase, RecordedTeam& team, int root) {
    const int p = team.link().size();
    if (phase.collective == Collective::alltoall) {
        const std::size_t numbers = sizeof(LongestBlock) / sizeof(std::uint64_t);
        const Slice data{0, numbers};
        find_algorithm(Collective::allreduce, "recursive_doubling")
            ->body(team.link(), {.data = data, .blocks = Blocks(data, p)});
        return sizeof(LongestBlock);
    }
    const Bytes all = Bytes(p) * sizeof(BlockLength);
    team.recorder()->keep_received(all);
    perform(phase, team, Call{.collective = phase.collective, .count = all, .root = root}.args(p));
    return team.recorder()->kept();
}

void enter_received(std::span<const BlockLength> received, std::vector<Bytes>& lengths) {
    for (const BlockLength& one : received)
        if (one.rank < lengths.size()) lengths[one.rank] = one.bytes;
}

const Phase& phase_for(const Phase& phase, const std::optional<GivenBlocks>& given) {
    // Never destroyed, because exit handlers may call MPI.
    static const auto& pairwise = *new Phase{.collective = Collective::alltoall,
                                             .kind = Phase::Kind::flat,
                                             .algorithm = find_algorithm(Collective::alltoall, "pairwise")};
    return given && given->sent && forwards_blocks(phase) ? pairwise : phase;
}

}  // namespace echelon
