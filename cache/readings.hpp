// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/paired.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace echelon {

/// When one rank began and ended the calls of a tournament, and what all ranks' clocks together say of the
/// operation. They are a rank's own until the ranks exchange them: somebody else takes the least of each of
/// own_roots(), then of own_numbers(), over the ranks.
class Readings {
public:
    /// What of a call's times speaks of the operation, and not of who came late. The first two need clocks
    /// that show the same on all ranks.
    enum class Measure : std::uint8_t {
        /// From the last arrival to the last departure.
        last_delay,
        /// Of collectives that hand out from a root: the longest that a rank stays once it and the root have
        /// come.
        behind_root,
        /// Where none leaves a call before the last has come: the shortest stay, which is the last comer's.
        /// That one may leave early, so a winner's longest stays must be shorter too.
        shortest_stay,
        /// Lateness and all.
        longest_stay
    };
    /// Programs call in a rhythm: conjugate gradients form two sums in each iteration, one of them after
    /// waiting for neighbours. Pairs are made on the same beat of rhythms of two, three or six calls.
    static constexpr long beats = 6;

    /// At most so many challengers' calls wait for an exchange: then no call allocates.
    explicit Readings(std::size_t most);

    /// The next took() speaks of the incumbent's call on that beat, which challengers are paired with,
    void expect_incumbent(std::size_t beat);
    /// or of a challenger's, paired with the incumbent's last one on that beat.
    void expect_challenger(std::size_t beat);
    /// What the last expect_challenger() expected does not come.
    void forget_challenger();
    /// When this rank began and ended the call, and whether it was its root. Nobody may have expected it.
    void took(Seconds entered, Seconds left, bool root);

    /// When the roots came, as far as this rank knows; empty where nobody has to. Of these, and then of the
    /// own numbers, the ranks take the least of each, as many on all ranks.
    std::vector<double> own_roots(Measure measure) const;
    std::vector<double> own_numbers(Measure measure, const std::vector<double>& roots) const;

    /// What a challenger's call and the incumbent's took, and how long the longest stays in them were.
    struct Exchanged {
        Pair pair, longest;
    };
    /// Of each challenger's call since the last exchange; nothing where some rank did not read its clock. They are
    /// forgotten. The same on all ranks.
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
    /// The incumbent's call on a beat, or a challenger's.
    std::optional<std::size_t> expected_;
};

}  // namespace echelon
