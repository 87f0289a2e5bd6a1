// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/units.hpp"
#include "tuner/rules.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace echelon {

inline Seconds seconds(std::uint64_t nanoseconds) { return 1e-9 * double(nanoseconds); }

/// Assumed times for machines without measurements, in nanoseconds, equal on all processors. A message takes
/// 5 us on a slow network, 1 us on a fast one, and 1 ns per byte; through the memory of a node it takes 0.2
/// us and 1/8 ns.
class DefaultCosts {
public:
    /// `step`: measured time of a step of a short collective, by which a fast network, or ranks that wait for
    /// a processor, are known to be slower. `byte`: measured time per byte of a longer one. 0: not measured.
    DefaultCosts(int ranks, bool memory, std::uint64_t step = 0, std::uint64_t byte = 0)
        : ranks_(std::uint64_t(ranks)),
          memory_(memory),
          byte_(std::max(byte, std::uint64_t(1))),
          slow_(memory ? std::max(through_memory, step) : slow_message),
          quick_(memory ? slow_ : std::max(quick_message, step)) {}

    /// Time of a collective on a slow network, and the least time, on a fast one.
    std::uint64_t call(Bytes bytes) const { return steps(slow_) + of_bytes(bytes); }
    std::uint64_t quick_call(Bytes bytes) const { return steps(quick_) + of_bytes(bytes); }
    /// Rank 0 checks if it decides, and sends the answer by a short broadcast.
    std::uint64_t telling() const {
        return steps(std::max(quick_, quick_message)) + (memory_ ? 40'000 : 100'000);
    }
    /// telling() by an asynchronous broadcast, for which no rank waits. `to_each`: rank 0 sends to one rank
    /// after the other.
    std::uint64_t telling_in_passing(bool to_each) const {
        return 10'000 + (to_each ? 4'000 * ranks_ : 1'000 * std::uint64_t(std::bit_width(ranks_)));
    }
    /// An asynchronous exchange of timings with rank 0.
    std::uint64_t exchange() const { return 1'000 * std::uint64_t(std::bit_width(ranks_)); }
    /// The first decision of a communicator without a profile, by replays of short phases with cold caches,
    /// on random layouts (bench/decision.cpp). Longer calls with a root are also priced in a row.
    std::uint64_t decision(Pattern calls, Bytes bytes) const {
        if (memory_) return 0;
        const std::uint64_t least = is_short(bytes)            ? 1'600'000
                                    : calls == Pattern::to_all ? 3'000'000
                                                               : 4'000'000;
        return least + 15'000 * ranks_;
    }
    /// A decision by a profile, which ranks more recipes, also inside a node. Collectives with the result on
    /// all ranks have twice as many recipes.
    std::uint64_t wide_decision(Pattern calls, Bytes bytes) const {
        constexpr Bytes few = 512;
        const std::uint64_t ranks = std::min<std::uint64_t>(ranks_, 512);
        return (bytes <= few ? 150'000 : 320'000) * ranks * (calls == Pattern::to_all ? 2 : 1);
    }
    /// A decision by a profile between measurements of about this size.
    std::uint64_t decision_among_measured() const {
        return 400'000 + 80'000 * std::min<std::uint64_t>(ranks_, 40);
    }
    std::uint64_t communicator() const { return 4 * steps(slow_) + 50 * ranks_ + (memory_ ? 20'000 : 0); }
    /// First messages to other ranks than before, if the library connects them then (quirks::connects_late).
    /// They take more than one round of connections and less than two, since few recipes have more.
    std::uint64_t connections() const { return 10 * slow_; }
    std::uint64_t window() const { return 4 * steps(slow_) + 50'000 + 20'000 * ranks_; }

private:
    static constexpr std::uint64_t slow_message = 5'000, quick_message = 1'000, through_memory = 200;

    /// True if no recipe cuts the vector into segments.
    static bool is_short(Bytes bytes) { return bytes <= 4 << 10; }
    /// The steps of a tree, one after the other.
    std::uint64_t steps(std::uint64_t message) const {
        return message * std::uint64_t(std::bit_width(ranks_));
    }
    std::uint64_t of_bytes(Bytes bytes) const { return memory_ ? bytes / 8 : byte_ * bytes; }

    std::uint64_t ranks_;
    bool memory_;
    std::uint64_t byte_;
    std::uint64_t slow_, quick_;
};

/// Number of native calls before a class is decided: asking rank 0 then costs a twentieth of their time. If
/// that would be few calls, but asking costs much of one, the class waits for 20 calls: short programs do not
/// ask.
inline long calls_before_decision(const DefaultCosts& costs, Bytes bytes) {
    constexpr std::uint64_t few = 20, few_share = 100;
    const std::uint64_t call = costs.quick_call(bytes), telling = costs.telling();
    const std::uint64_t calls = rules.decide_part * telling / call;
    return long(few_share * telling > few * call && calls < few ? few : calls);
}

/// calls_before_decision() for an asynchronous broadcast. At least two calls show their time.
inline long calls_before_decision_in_passing(const DefaultCosts& costs, Bytes bytes, bool to_each = false) {
    constexpr std::uint64_t few = 2;
    return long(
        std::max(few, rules.decide_part * costs.telling_in_passing(to_each) / costs.quick_call(bytes)));
}

}  // namespace echelon
