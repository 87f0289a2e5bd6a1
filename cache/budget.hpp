// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace echelon {

/// Number of Echelon's own communicators in a process, and its limit: the MPI library has few. Safe to use
/// from several threads.
class Budget {
public:
    /// Sets the limit for all communicators. Parts (sub-communicators) may be a quarter of them: without a
    /// private communicator of its own, a communicator of the user could not be served at all.
    void set_most(int most) { most_ = most; }
    int most() const { return most_; }
    int held() const { return held_; }
    /// True if this many more private communicators and parts are allowed.
    bool has_room_for(int wholes, int parts = 0) const {
        return held_ + wholes + parts <= most_ && parts_ + parts <= most_ / 4;
    }
    /// Adds communicators; negative numbers give them back.
    void hold(int wholes, int parts = 0) {
        held_ += wholes + parts;
        parts_ += parts;
    }

private:
    std::atomic<int> most_ = 0, held_ = 0, parts_ = 0;
};

}  // namespace echelon
