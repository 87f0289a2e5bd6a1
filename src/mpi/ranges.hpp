// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace echelon {

/// A set of numbers as ranges [begin, end), ascending and not adjacent. Allocates only while it grows.
class Ranges {
public:
    struct Range {
        std::size_t begin, end;
        friend bool operator==(const Range&, const Range&) = default;
    };

    bool empty() const { return ranges_.empty(); }
    const std::vector<Range>& all() const { return ranges_; }

    /// Replaces the set by [begin, end).
    void assign(std::size_t begin, std::size_t end) {
        ranges_.clear();
        if (begin < end) ranges_.push_back({begin, end});
    }
    /// True if the set contains all of [begin, end). Requires: begin < end.
    bool cover(std::size_t begin, std::size_t end) const {
        const auto range = first_behind(begin);
        return range != ranges_.end() && range->begin <= begin && end <= range->end;
    }
    /// Removes [begin, end); calls `removed(begin, end)` for each removed part.
    template <class Removed>
    void cut(std::size_t begin, std::size_t end, const Removed& removed) {
        if (begin >= end) return;
        const auto first = first_behind(begin);
        auto last = first;
        Range left{begin, begin}, right{end, end};
        for (; last != ranges_.end() && last->begin < end; ++last) {
            removed(std::max(begin, last->begin), std::min(end, last->end));
            if (last->begin < begin) left = {last->begin, begin};
            if (last->end > end) right = {end, last->end};
        }
        auto at = ranges_.erase(first, last);
        if (right.begin < right.end) at = ranges_.insert(at, right);
        if (left.begin < left.end) ranges_.insert(at, left);
    }
    void cut(std::size_t begin, std::size_t end) {
        cut(begin, end, [](std::size_t, std::size_t) {});
    }

private:
    /// The first range with end > `number`.
    std::vector<Range>::const_iterator first_behind(std::size_t number) const {
        return std::partition_point(ranges_.begin(), ranges_.end(),
                                    [&](const Range& range) { return range.end <= number; });
    }

    std::vector<Range> ranges_;
};

}  // namespace echelon
