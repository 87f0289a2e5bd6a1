// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/trial.hpp"

#include <cstdint>
#include <random>

namespace echelon {

/// Dependence between the ranks of a collective.
enum class Flow : std::uint8_t { synchronising, from_root, to_root };

/// Calls of one class on simulated ranks: true time of each recipe, its predicted time, lateness of ranks,
/// and disturbance by the machine.
struct SimulatedClass {
    Flow flow = Flow::synchronising;
    /// The ranks read one clock.
    bool one_clock = true;
    int ranks = 8;
    /// One entry per recipe, native first. The unit of all times here is a native call.
    std::vector<double> takes = {}, expected = {}, setup = {};
    double exchange = 0;
    /// Ranks come at random within this time.
    double lateness = 0;
    /// Size of ordinary noise. One call in fifty is disturbed beyond it, by up to ten times.
    double noise = 0.05;
    bool disturbed = true;
    /// Factor by which the machine's pace varies.
    double drift = 1;
};

/// Outcome after a number of calls: time of the collectives over native's, and the incumbent.
struct Outcome {
    double over_native;
    std::size_t last_arm;
    long tried, exchanges;
};

/// A class drawn at random, of 3 to 8 recipes. `best`: time of the fastest recipe.
SimulatedClass draw_class(std::mt19937_64& random, double best);

/// Runs it with a course on each rank and a trial on rank 0; returns the outcome after each number of calls.
/// Error: the ranks ran different recipes.
std::vector<Outcome> run(const SimulatedClass& calls, const std::vector<long>& after, double share,
                         std::uint64_t seed);

}  // namespace echelon
