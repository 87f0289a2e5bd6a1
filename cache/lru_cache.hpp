// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>

namespace echelon {

/// The last few values that were looked up, the latest first.
template <class Value>
class LruCache {
public:
    /// The value for which `is_it` is true. If there is none, the value that `make` returns; it replaces the
    /// least recently used one if the cache is full.
    template <class IsIt, class Make>
    Value& find(IsIt is_it, Make make) {
        constexpr std::size_t most = 8;
        const auto known = std::ranges::find_if(kept_, is_it);
        if (known != kept_.end()) {
            std::rotate(kept_.begin(), known, known + 1);
        } else {
            kept_.push_front(make());
            if (kept_.size() > most) kept_.pop_back();
        }
        return kept_.front();
    }

private:
    std::deque<Value> kept_;
};

}  // namespace echelon
