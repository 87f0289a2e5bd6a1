// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/calls.hpp"

#include <array>
#include <cstdint>

namespace echelon {

/// The last calls on a communicator that a plan gave to the library: as long as nothing changes the plans,
/// they need no look when they come again. Of predefined types and operations alone, whose handles always mean
/// the same.
class NativeCalls {
public:
    /// Whether this one is among them, and was not the last for which that holds. Never of a count that is not
    /// above 0.
    bool take(const PassedCall& call) {
        const Known& known = calls_[place(call)];
        return known.call == call && (known.left == nullptr || --*known.left > 0);
    }
    /// `left`: so many of its class, and one more, need no look; nullptr: all of them.
    void add(const PassedCall& call, long* left) {
        if (call.count > 0) calls_[place(call)] = {call, left};
    }
    void clear() { calls_.fill({}); }

private:
    static constexpr std::size_t most = 16;
    static std::size_t place(const PassedCall& call) {
        return (std::size_t(call.collective) * 3 + std::size_t(call.count)) % most;
    }
    /// Of no call at first.
    struct alignas(64) Known {
        PassedCall call{.collective = {}, .type = {}, .op = {}, .count = -1, .root = -1};
        long* left = nullptr;
    };
    std::array<Known, most> calls_{};
};

}  // namespace echelon
