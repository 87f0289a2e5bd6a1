// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace echelon {

/// How many communicators of its own a process may hold, for the MPI library has few, and how many it does. Safe to use from several threads.
class Budget {
public:
    /// In all. Parts of others get a quarter: without a whole of its own a communicator could not be served at all.
    void set_most(int most) { most_ = most; }
    int most() const { return most_; }
    int held() const { return held_; }
    /// So many more fit.
    bool has_room_for(int wholes, int parts = 0) const {
        return held_ + wholes + parts <= most_ && parts_ + parts <= most_ / 4;
    }
    /// Negative: given back.
    void hold(int wholes, int parts = 0) {
        held_ += wholes + parts;
        parts_ += parts;
    }

private:
    std::atomic<int> most_ = 0, held_ = 0, parts_ = 0;
};

}  // namespace echelon
