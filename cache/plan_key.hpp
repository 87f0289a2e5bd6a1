// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/recorded_team.hpp"

namespace echelon {

/// Which of the plans for the same calls: of what is chosen for them, or of a recipe beside it.
struct Variant {
    enum class Kind : std::uint8_t { chosen, trial, override };
    Kind kind = Kind::chosen;
    /// Of those of a kind.
    std::uint16_t number = 0;
    friend bool operator==(const Variant&, const Variant&) = default;
};

/// What a plan depends on. The same values on all ranks.
struct PlanKey {
    Collective collective;
    bool in_order, exact;
    int root;
    Bytes element_size;
    std::size_t count;
    Variant variant = {};

    Call call() const {
        return {.collective = collective,
                .count = count,
                .element_size = element_size,
                .root = root,
                .operation = {in_order, exact}};
    }
    friend bool operator==(const PlanKey&, const PlanKey&) = default;

    /// No rank leaves such a call before all have entered it, whoever serves it: in it ranks may talk to each
    /// other, and it waits for nobody for whom the MPI library would not. Not scans, where rank 0 waits for
    /// nobody, nor collectives with a root.
    bool synchronises(int p) const {
        if (pattern(collective) != Pattern::to_all) return false;
        if (collective == Collective::barrier) return true;
        // Every rank has something, and so its block where the result is in blocks.
        return count >= (collective == Collective::reduce_scatter ? std::size_t(p) : 1);
    }
    /// Every rank waits for rank 0 in such a call, whoever serves it, and rank 0 for nobody: it may tell the others something.
    bool hands_out_from_0() const { return pattern(collective) == Pattern::from_root && root == 0; }
};

struct PlanKeyHash {
    std::size_t operator()(const PlanKey& key) const {
        std::uint64_t h = key.count * 0x9E3779B97F4A7C15u + std::uint64_t(key.root) +
                          (std::uint64_t(key.variant.kind) << 62) + (std::uint64_t(key.variant.number) << 46);
        h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u + key.element_size * 64 +
            std::uint64_t(key.collective) * 4 + (key.in_order ? 2 : 0) + (key.exact ? 1 : 0);
        return std::size_t(h ^ (h >> 32));
    }
};

}  // namespace echelon
