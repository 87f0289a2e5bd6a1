// SPDX-License-Identifier: Apache-2.0
#include "groups/crowding.hpp"

#include <bit>
#include <unordered_map>
#include <unordered_set>

namespace echelon {
namespace {

/// Assigns processors to ranks, and reassigns them if that helps: a bipartite matching by augmenting paths.
class Seats {
public:
    explicit Seats(std::span<const ProcessorSet> allowed) : allowed_(allowed) {}

    bool seat(std::size_t rank) {
        asked_.clear();
        return find(rank);
    }

private:
    bool find(std::size_t rank) {
        const ProcessorSet& own = allowed_[rank];
        // Free processors come first: most ranks need no reassignment.
        for (const bool moving : {false, true})
            for (std::size_t word = 0; word < own.size(); ++word)
                for (std::uint64_t left = own[word]; left != 0; left &= left - 1) {
                    const std::size_t processor = 64 * word + std::size_t(std::countr_zero(left));
                    const auto taken = taken_.find(processor);
                    if (!moving && taken != taken_.end()) continue;
                    if (moving && (!asked_.insert(processor).second || !find(taken->second))) continue;
                    taken_[processor] = rank;
                    return true;
                }
        return false;
    }

    std::span<const ProcessorSet> allowed_;
    std::unordered_map<std::size_t, std::size_t> taken_;  // processor to rank
    std::unordered_set<std::size_t> asked_;
};

}  // namespace

bool is_crowded(std::span<const ProcessorSet> allowed) {
    Seats seats(allowed);
    for (std::size_t rank = 0; rank < allowed.size(); ++rank)
        if (!seats.seat(rank)) return true;
    return false;
}

}  // namespace echelon
