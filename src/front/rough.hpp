// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/units.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace echelon {

inline Seconds seconds(std::uint64_t nanoseconds) { return 1e-9 * double(nanoseconds); }

/// What things take where nothing was measured: in nanoseconds, which are the same on all processors. Messages take 5 us
/// on a slow network and 1 us on a quick one, and 1 ns a byte; through the memory of a node 0.2 us and 1/8 ns.
class Rough {
public:
    /// `step`: what one of a short collective was seen to take, so that a quick network is known not to be quicker, and ranks that wait for a
    /// processor are known to; `byte`: what one of a long one was. 0: not known.
    Rough(int ranks, bool memory, std::uint64_t step = 0, std::uint64_t byte = 0)
        : ranks_(std::uint64_t(ranks)),
          memory_(memory),
          byte_(std::max(byte, std::uint64_t(1))),
          slow_(memory ? std::max(through_memory, step) : slow_message),
          quick_(memory ? slow_ : std::max(quick_message, step)) {}

    /// A collective, on a slow network, and on a quick one: how much there is to gain, and the least that it takes.
    std::uint64_t call(Bytes bytes) const { return steps(slow_) + of_bytes(bytes); }
    std::uint64_t quick_call(Bytes bytes) const { return steps(quick_) + of_bytes(bytes); }
    /// One rank looks whether to decide now, and tells by a short broadcast.
    std::uint64_t thought() const {
        return steps(std::max(quick_, quick_message)) + (memory_ ? 40'000 : 100'000);
    }
    /// The same while calls go on, for whose answer nobody waits. `to_each`: it goes to one rank after the other.
    std::uint64_t thought_in_passing(bool to_each) const {
        return 10'000 + (to_each ? 4'000 * ranks_ : 1'000 * std::uint64_t(std::bit_width(ranks_)));
    }
    /// Ranks exchange what trials took, while calls go on: a message in each round.
    std::uint64_t rounds() const { return 1'000 * std::uint64_t(std::bit_width(ranks_)); }
    /// Its first decision, by replays of short phases: in cold caches, on layouts drawn at random (bench/decision.cpp).
    std::uint64_t decision(Bytes bytes) const {
        return memory_ ? 0 : is_short(bytes) ? 800'000 + 4'000 * ranks_ : 1'300'000 + 12'000 * ranks_;
    }
    /// One by a profile, which looks wider, and also inside a node. Where all have the result there are twice as many recipes.
    std::uint64_t wide_decision(Pattern calls, Bytes bytes) const {
        constexpr Bytes few = 512;
        const std::uint64_t ranks = std::min<std::uint64_t>(ranks_, 512);
        return (bytes <= few ? 150'000 : 320'000) * ranks * (calls == Pattern::to_all ? 2 : 1);
    }
    /// One among what was measured around such a size, by a profile.
    std::uint64_t decision_among_measured() const {
        return 400'000 + 80'000 * std::min<std::uint64_t>(ranks_, 40);
    }
    std::uint64_t communicator() const { return 4 * steps(slow_) + 50 * ranks_ + (memory_ ? 20'000 : 0); }
    /// Ranks talk to others than before, where the library connects them then (quirks::connects_late): more than one round of these takes,
    /// less than two, since few recipes have more.
    std::uint64_t connections() const { return 10 * slow_; }
    std::uint64_t window() const { return 4 * steps(slow_) + 50'000 + 20'000 * ranks_; }

private:
    static constexpr std::uint64_t slow_message = 5'000, quick_message = 1'000, through_memory = 200;

    /// Nothing is cut into segments.
    static bool is_short(Bytes bytes) { return bytes <= 4 << 10; }
    /// As many one after the other as a tree is high.
    std::uint64_t steps(std::uint64_t message) const {
        return message * std::uint64_t(std::bit_width(ranks_));
    }
    std::uint64_t of_bytes(Bytes bytes) const { return memory_ ? bytes / 8 : byte_ * bytes; }

    std::uint64_t ranks_;
    bool memory_;
    std::uint64_t byte_;
    std::uint64_t slow_, quick_;
};

/// So many calls of a class are native before somebody thinks about them: what that takes is then a twentieth of theirs. Programs
/// of few calls do not notice it either.
inline long calls_worth_a_thought(const Rough& rough, Bytes bytes) {
    constexpr std::uint64_t share = 20, few = 20, few_share = 100;
    const std::uint64_t call = rough.quick_call(bytes), thought = rough.thought();
    const std::uint64_t calls = share * thought / call;
    return long(few_share * thought > few * call && calls < few ? few : calls);
}

/// The same where nobody waits for the answer. Two calls show what they take.
inline long calls_worth_a_thought_in_passing(const Rough& rough, Bytes bytes, bool to_each = false) {
    constexpr std::uint64_t share = 20, few = 2;
    return long(std::max(few, share * rough.thought_in_passing(to_each) / rough.quick_call(bytes)));
}

}  // namespace echelon
