// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/units.hpp"

#include <array>
#include <cstddef>

namespace echelon {

/// The constants of the choice at run time. Times are ratios, and prices are in calls of the class, unless a
/// unit is given.
struct TunerRules {
    // The decision of a class.
    /// Number of ranks from which hierarchies are tried.
    int least_ranks = 4;
    /// The question to rank 0 may take one part in so many of the time of the class's calls; the decision,
    /// with all decisions made meanwhile, of the time since the first of them.
    std::uint64_t decide_part = 20;
    /// A decision that ran out of time goes on when this part of its assumed time is paid for.
    double rest_of_decision = 0.25;
    /// Factor on the number of further native calls, because each question costs, and its most as a multiple
    /// of the calls that were made.
    double surely = 1.1, farthest = 64;
    /// Number of calls of a class in a typical program, whose time its decision may take; and of calls whose
    /// time goes unnoticed.
    double usual_calls = 100, unnoticed_calls = 4;
    /// A table of decisions for a new communicator may take this long to make, in seconds, and is made again
    /// if that takes less than this share of the time since the last one.
    Seconds table = 0.1;
    double table_share = 0.01;
    /// Native calls of less than this time are too short for a trial, in seconds: it takes as long to enter a
    /// recipe and to read the clock.
    Seconds shortest = 250e-9;
    /// Number of recipes that are proposed by price.
    std::size_t proposals = 3;
    /// Prices that differ by less than this factor are one price.
    double alike = 1.01;

    // The cost of a trial.
    /// Number of calls during which the program may end soon, and the share of time for trials in them.
    double first_calls = 200, first_share = 0.02;
    /// First share if a calibration knows the collective: there is less to find.
    double calibrated_first_share = 0.01;
    /// Part of the share that the watch of a winner may use.
    double watch_part = 0.1;
    /// Factor by which an arm may take longer than expected on a machine that was not measured.
    double doubt = 2;
    /// Price of an exchange of timings before one was timed, at most.
    double unseen_exchange = 4;
    /// Price of a native call before the first pair, at most: a wrong model must not hide native for ever.
    double natives_price = 10;

    // Evidence.
    /// Numbers of pairs after which an arm is judged again.
    std::array<std::size_t, 5> pairs{1, 3, 7, 15, 31};
    /// Number of consecutive calls by one arm, in the first look, later, and at most, where one call does not
    /// show what it adds to the program.
    long first_block = 2, block = 4, most_block = 32;
    /// Number of calls before a measured one among ranks that share memory, where caches decide about calls
    /// of up to `in_caches` bytes: if the call synchronises, if not, and for longer calls.
    long warm = 5, warm_one_way = 12, warm_long = 1;
    std::uint64_t in_caches = 64 << 10;
    /// Pairs in one exchange, at most.
    std::size_t most_pairs = 16;
    /// An arm slower than the incumbent by this factor is out at once.
    double by_far = 2;
    /// An arm faster by this factor in each of three pairs has won.
    double clearly = 1.5;
    /// Least gain of a replacement. Going back to native is free.
    double lead = 0.02;
    /// Arms within this factor of the best survive a judgement.
    double near = 1.1;
    /// Squared standard deviations by which the signs of pairs must differ from chance: about 1 in 100, and
    /// 1 in 10 for an arm that has won elsewhere.
    double much_proof = 5.4, little_proof = 2.0;
    /// A change of the ratio to native by this factor reopens a trial.
    double drift = 1.3;
    /// Number of arms of a trial.
    std::size_t most_arms = 8;
};
inline constexpr TunerRules rules{};

}  // namespace echelon
