// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/paired.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace echelon {

/// Timings of one rank in the calls of a tournament, and the times of the operation that follow from the
/// timings of all ranks. The caller takes the minimum over the ranks of each of own_roots(), then of
/// own_numbers().
class Timings {
public:
    /// The part of the timings that counts as the time of the operation, free of late ranks. The first two
    /// need a common clock.
    enum class Measure : std::uint8_t {
        /// From the last arrival to the last departure.
        last_delay,
        /// If the root sends and no rank waits for others: the longest stay of a rank after it and the root
        /// have entered.
        behind_root,
        /// If no rank leaves before the last one has entered: the shortest stay, which is the stay of the
        /// last rank. That rank may leave early: a winner's longest stays must be shorter too.
        shortest_stay,
        /// The longest stay, with all waiting for late ranks.
        longest_stay
    };
    /// Programs call in a rhythm: conjugate gradients form two sums in each iteration, one of them after
    /// waiting for neighbours. A pair has two calls on the same beat, for rhythms of two, three or six calls.
    static constexpr long beats = 6;

    /// `most`: largest number of challengers' calls between exchanges. No call allocates.
    explicit Timings(std::size_t most);

    /// The next took() is the incumbent's call on this beat, with which challengers are paired.
    void expect_incumbent(std::size_t beat);
    /// The next took() is a challenger's call, paired with the incumbent's last one on this beat.
    void expect_challenger(std::size_t beat);
    /// Withdraws the last expect_challenger().
    void forget_challenger();
    /// This rank entered and left the call at these times, as the `root` or not. Ignored if no call is
    /// expected.
    void took(Seconds entered, Seconds left, bool root);

    /// Entry times of roots, as far as this rank knows them; empty if the measure needs none. All ranks have
    /// equally many.
    std::vector<double> own_roots(Measure measure) const;
    std::vector<double> own_numbers(Measure measure, const std::vector<double>& roots) const;

    /// The pair of a challenger's and an incumbent's call, and the pair of their longest stays.
    struct Exchanged {
        Pair pair, longest;
    };
    /// All pairs since the last exchange, which are dropped; nullopt if a rank did not read its clock.
    /// `least`: the minima of own_numbers(). Equal on all ranks.
    std::vector<std::optional<Exchanged>> take(Measure measure, const std::vector<double>& least);

private:
    struct Reading {
        Seconds entered, left;
        bool root, taken;
    };
    struct Tried {
        Reading challenger, incumbent;
    };
    static std::array<double, 2> numbers(Measure measure, const Reading& one, Seconds root);

    std::array<Reading, beats> incumbents_{};
    std::vector<Tried> tried_;
    /// The beat of an incumbent's call, or `challenger`.
    std::optional<std::size_t> expected_;
};

}  // namespace echelon
