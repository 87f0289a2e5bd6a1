// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/say.hpp"

#include <mutex>
#include <set>
#include <string>

namespace echelon {

/// What the process has said on standard error. Safe to use from several threads.
class Sayings {
public:
    /// Once for each text, if `speaks` (one rank does).
    void once(bool speaks, const std::string& sentence) {
        const std::scoped_lock lock(mutex_);
        if (said_.insert(sentence).second && speaks) say(sentence);
    }

private:
    std::mutex mutex_;
    std::set<std::string> said_;
};

}  // namespace echelon
