// SPDX-License-Identifier: Apache-2.0
#include "core/exposures.hpp"

#include <algorithm>

namespace echelon {

void Exposures::learn(int rank, const Known& more) {
    for (std::size_t r = 0; r < more.size(); ++r) {
        std::size_t& known = knows_[std::size_t(rank)][r];
        known = std::max(known, more[r]);
    }
}

bool Exposures::overlap(int owner, const Slice& what) const {
    return std::any_of(exposed_.begin(), exposed_.end(),
                       [&](const Exposed& one) { return one.owner == owner && one.what.overlaps(what); });
}

std::optional<int> Exposures::work(int rank, int owner, const Slice& part, bool writes) {
    const Known& knows = knows_[std::size_t(rank)];
    for (const Access& one : accesses_[std::size_t(owner)])
        if (one.rank != rank && (writes || one.writes) && one.part.overlaps(part) &&
            knows[std::size_t(one.rank)] <= one.step)
            return one.rank;
    accesses_[std::size_t(owner)].push_back({rank, knows[std::size_t(rank)], part, writes});
    return std::nullopt;
}

}  // namespace echelon
