// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/units.hpp"

#include <cstddef>
#include <limits>
#include <span>

namespace echelon {

/// What several messages do to each other that one rank sends, or receives, at once: how far a network is
/// from one port, where each message waits for the one before it (the postal model's alpha_p and alpha_r;
/// Ruefenacht, Bull and Booth 2017), and whether they follow one another or share the way.
struct Fan {
    /// By so much each further message delays the last arrival; and so much for each of its bytes.
    Seconds gap = 0;
    SecondsPerByte per_byte = 0;
    /// What the first arrival suffers of the later messages' bytes: 0, they follow one another; 1, all share
    /// the way equally and arrive together.
    double sharing = 0;

    friend bool operator==(const Fan&, const Fan&) = default;
};

/// One of the messages of a fan.
struct FanMessage {
    /// Alone; behind another one; what it adds to those before it.
    Seconds alone = 0, behind = 0, crowding = 0;
};

constexpr std::size_t no_window = std::numeric_limits<std::size_t>::max();

/// When `count` equal messages have arrived of which at most `window` are under way at a time.
Seconds time_of_fan(double count, const FanMessage& each, double window);

/// What follows a message: the time that its receiver's own messages take, or before it: until it is ready.
struct Branch {
    FanMessage message;
    Seconds beyond = 0;
};
/// A rank sends to the roots of subtrees in this order: when the last subtree has finished.
Seconds time_of_branches_down(std::span<const Branch> branches, std::size_t window);
/// A rank receives from them in this order: when the last has arrived.
Seconds time_of_branches_up(std::span<const Branch> branches, std::size_t window);

}  // namespace echelon
