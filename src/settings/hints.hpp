// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "hier/by_size.hpp"
#include "hier/recipe.hpp"

#include <map>

namespace echelon {

/// The recipes that the program asked for on one communicator through the API.
class Hints {
public:
    struct Hint {
        Recipe recipe;
        /// A call that the recipe cannot serve: true: is an error; false: runs natively, with a message.
        bool strict = true;
    };

    /// If ranges of hints overlap, the later hint wins.
    void add(Collective collective, ByteRange sizes, Hint hint) {
        hints_[collective].add(sizes, std::move(hint));
    }
    void remove(Collective collective) { hints_.erase(collective); }
    const Hint* find(Collective collective, Bytes bytes) const {
        const auto found = hints_.find(collective);
        return found == hints_.end() ? nullptr : found->second.find(bytes);
    }
    /// The hints of a collective in the order of their addition; nullptr if there are none.
    const BySize<Hint>* of(Collective collective) const {
        const auto found = hints_.find(collective);
        return found == hints_.end() ? nullptr : &found->second;
    }

private:
    std::map<Collective, BySize<Hint>> hints_;
};

}  // namespace echelon
