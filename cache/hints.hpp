// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/settings.hpp"

namespace echelon {

/// What the program asked for on one communicator through the API.
class Hints {
public:
    struct Hint {
        Collective collective;
        ByteRange range;
        Recipe recipe;
        /// What cannot be served is an error; else the native collective runs and says so.
        bool strict = true;
    };

    /// Later hints win.
    void add(Hint hint) { hints_.push_back(std::move(hint)); }
    void remove(Collective collective) {
        std::erase_if(hints_, [&](const Hint& hint) { return hint.collective == collective; });
    }
    const Hint* find(Collective collective, Bytes bytes) const {
        for (auto hint = hints_.rbegin(); hint != hints_.rend(); ++hint)
            if (hint->collective == collective && hint->range.contains(bytes)) return &*hint;
        return nullptr;
    }
    bool any(Collective collective) const {
        for (const Hint& hint : hints_)
            if (hint.collective == collective) return true;
        return false;
    }

private:
    std::vector<Hint> hints_;
};

}  // namespace echelon
