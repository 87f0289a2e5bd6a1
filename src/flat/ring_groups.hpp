// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks.hpp"

#include <algorithm>

namespace echelon {

/// Groups of `size` consecutive ranks. Rings run inside the groups, and between ranks of equal place in all
/// groups. The size asked for is lowered to a divisor of p.
class RingGroups {
public:
    RingGroups(int p, int asked, int rank)
        : size_(divisor(p, asked)), groups_(p / size_), group_(rank / size_), place_(rank % size_) {}

    int size() const { return size_; }
    int groups() const { return groups_; }

    /// The rank `groups` groups and `places` places further on. Both may be negative; their absolute values
    /// must be below a full turn.
    int at(int groups, int places) const {
        return wrap(group_ + groups, groups_) * size_ + wrap(place_ + places, size_);
    }

private:
    static int divisor(int p, int asked) {
        int size = std::min(p, std::max(asked, 1));
        while (p % size != 0) --size;
        return size;
    }

    int size_, groups_, group_, place_;
};

}  // namespace echelon
