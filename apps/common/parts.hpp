// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace examples {

/// Indices from `begin` to before `end`.
struct Run {
    long begin = 0, end = 0;
    long size() const { return end - begin; }
    friend bool operator==(const Run&, const Run&) = default;
};

/// `total` indices, cut into runs that differ by at most one.
class Parts {
public:
    Parts(long total, int parts) : share_(total / parts), longer_(total % parts) {}
    Run operator[](long part) const { return {begin(part), begin(part + 1)}; }
    /// The part that contains an index.
    int owner(long index) const {
        const long in_longer = longer_ * (share_ + 1);
        return int(index < in_longer ? index / (share_ + 1) : longer_ + (index - in_longer) / share_);
    }

private:
    long begin(long part) const { return part * share_ + std::min(part, longer_); }
    long share_, longer_;
};

}  // namespace examples
