// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/say.hpp"

#include <mutex>
#include <set>
#include <string>

namespace echelon {

/// Messages on standard error that this process prints once. Safe to use from several threads.
class LogOnce {
public:
    /// Prints the sentence if it was not passed before. `speaks`: this is the one rank that prints.
    void once(bool speaks, const std::string& sentence) {
        const std::scoped_lock lock(mutex_);
        if (said_.insert(sentence).second && speaks) say(sentence);
    }

private:
    std::mutex mutex_;
    std::set<std::string> said_;
};

}  // namespace echelon
