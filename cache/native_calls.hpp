// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/calls.hpp"

#include <array>
#include <cstdint>

namespace echelon {

/// The last calls on a communicator that a plan left to the library. Until a plan changes, equal calls go to
/// the library without a look-up of their plan. Requires: predefined types and operations; other handles may
/// be freed and reused.
class NativeCalls {
public:
    /// True if the call is among them and its plan still holds after it. Takes one from its `left`. False for
    /// counts of 0 or less.
    [[gnu::always_inline]] bool take(const PassedCall& call) {
        const Known& known = calls_[place(call)];
        return known.call == call && (known.left == nullptr || --*known.left > 0);
    }
    /// `left`: number of calls of the class, plus one, for which the plan holds; null: no limit.
    void add(const PassedCall& call, long* left) {
        if (call.count > 0) calls_[place(call)] = {call, left};
    }
    void clear() { calls_.fill({}); }

private:
    static constexpr std::size_t most = 16;
    static std::size_t place(const PassedCall& call) {
        return (std::size_t(call.collective) * 3 + std::size_t(call.count)) % most;
    }
    /// Initially equal to no call.
    struct alignas(64) Known {
        PassedCall call{.collective = {}, .type = {}, .op = {}, .count = -1, .root = -1};
        long* left = nullptr;
    };
    std::array<Known, most> calls_{};
};

}  // namespace echelon
