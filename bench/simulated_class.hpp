// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/tournament.hpp"

#include <cstdint>
#include <random>

namespace echelon {

/// Who waits for whom in a collective.
enum class Flow : std::uint8_t { synchronising, from_root, to_root };

/// Calls of one class, as a program makes them on simulated ranks: what each recipe truly takes, what a model
/// thinks of it, how late ranks come, how much the machine disturbs.
struct SimulatedClass {
    Flow flow = Flow::synchronising;
    Tournament::Measure measure = Tournament::Measure::last_delay;
    int ranks = 8;
    /// Native first; in native calls, as are all times here.
    std::vector<double> takes = {}, expected = {}, setup = {};
    double settlement = 0;
    /// Ranks come at random over so long.
    double lateness = 0;
    /// Of ordinary noise; one call in fifty is disturbed on top of it, by up to ten times.
    double noise = 0.05;
    bool disturbed = true;
    /// The machine's pace goes up and down by this factor.
    double drift = 1;
};

/// Of `calls` calls, what they took over what native takes; and who ran the last of them.
struct Course {
    double over_native;
    std::size_t last_arm;
    long tried, settlements;
};

/// A class drawn at random. `best`: what the fastest recipe takes; there are 3 to 8.
SimulatedClass draw_class(std::mt19937_64& random, double best);

/// Runs it with a tournament on each rank; what it comes to after each of these numbers of calls. Error: the
/// ranks did not run the same.
std::vector<Course> run(const SimulatedClass& calls, const std::vector<long>& after, double share,
                        std::uint64_t seed);

}  // namespace echelon
