// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hier/byte_range.hpp"

#include <utility>
#include <vector>

namespace echelon {

/// A value by the size of the call. If ranges overlap, the later one wins.
///
///   add 0-4K: ring; add 1K-: chain      512 is a ring's, 1K and 1M are a chain's
template <class Value>
class BySize {
public:
    struct Row {
        ByteRange sizes;
        Value value;
        friend bool operator==(const Row&, const Row&) = default;
    };

    void add(ByteRange sizes, Value value) { rows_.push_back({sizes, std::move(value)}); }
    /// The value whose range holds these bytes; `nullptr` if there is none.
    const Value* find(Bytes bytes) const {
        for (auto row = rows_.rbegin(); row != rows_.rend(); ++row)
            if (row->sizes.contains(bytes)) return &row->value;
        return nullptr;
    }
    /// Rows in the order of their addition.
    auto begin() const { return rows_.begin(); }
    auto end() const { return rows_.end(); }
    /// Rows from the latest to the first: the order in which they hold.
    auto rbegin() const { return rows_.rbegin(); }
    auto rend() const { return rows_.rend(); }
    bool empty() const { return rows_.empty(); }

private:
    std::vector<Row> rows_;
};

}  // namespace echelon
