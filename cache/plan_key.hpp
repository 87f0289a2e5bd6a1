// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/recorded_team.hpp"

namespace echelon {

/// Distinguishes the plans for the same calls: the plan of the chosen recipe, of an arm of a trial, of a
/// forced recipe that overrides the choice, or of the chosen recipe in nonblocking calls.
struct Variant {
    enum class Kind : std::uint8_t { chosen, trial, override, started };
    Kind kind = Kind::chosen;
    /// Number among the variants of this kind.
    std::uint16_t number = 0;
    friend bool operator==(const Variant&, const Variant&) = default;
};

/// The lengths of the ranks' blocks: all equal, or different and all above 0, or 0 for some ranks, or known
/// only to the ranks that exchange them. Blocks that differ do not belong to the key, because programs may
/// change them in every call (fit()).
enum class BlockLengths : std::uint8_t { equal, different, some_empty, own };

/// The values that a plan depends on. Equal on all ranks.
struct PlanKey {
    Collective collective;
    bool in_order, exact;
    int root;
    Bytes element_size;
    std::size_t count;
    BlockLengths lengths = BlockLengths::equal;
    Variant variant = {};

    Call call() const {
        return {.collective = collective,
                .count = count,
                .element_size = element_size,
                .root = root,
                .operation = {in_order, exact}};
    }
    friend bool operator==(const PlanKey&, const PlanKey&) = default;
    Bytes bytes() const { return count * element_size; }
    /// True if ranks know only their own blocks: `count` is not the same on all ranks, or 0.
    bool own_lengths() const { return lengths == BlockLengths::own; }

    /// True if no rank leaves the call before all have entered it, whether a recipe or the library serves it.
    /// Ranks may exchange messages of their own in it: they wait for no rank for which the library would not
    /// wait. False for collectives with a root, and for scans, in which rank 0 waits for no rank.
    bool synchronises(int p) const {
        // No rank waits for an empty block.
        const bool all_have_data = lengths == BlockLengths::equal || lengths == BlockLengths::different;
        if (pattern(collective) != Pattern::to_all || !all_have_data) return false;
        if (collective == Collective::barrier) return true;
        // In reduce_scatter every rank must have a block.
        return count >= (collective == Collective::reduce_scatter ? std::size_t(p) : 1);
    }
};

struct PlanKeyHash {
    std::size_t operator()(const PlanKey& key) const {
        std::uint64_t h = key.count * 0x9E3779B97F4A7C15u + std::uint64_t(key.root) +
                          (std::uint64_t(key.variant.kind) << 62) + (std::uint64_t(key.variant.number) << 46);
        h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u + key.element_size * 64 + std::uint64_t(key.lengths) * 128 +
            std::uint64_t(key.collective) * 4 + (key.in_order ? 2 : 0) + (key.exact ? 1 : 0);
        return std::size_t(h ^ (h >> 32));
    }
};

}  // namespace echelon
