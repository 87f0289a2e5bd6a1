// SPDX-License-Identifier: Apache-2.0
// Cost and gain of a trial, on classes of calls drawn at random: the time of the first calls over the
// time of native ones.
#include "bench/simulated_class.hpp"
#include "options/command_line.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace {

using namespace echelon;

constexpr double share = 0.05;
const std::vector<long> after{20, 200, 2000};

/// Prints one row: `classes` classes whose fastest recipe takes `best` of native's time.
void print_row(const char* name, Flow flow, bool one_clock, double lateness, double best, int classes,
               std::uint64_t seed) {
    std::vector<double> logarithms(after.size()), worst(after.size());
    long near_best = 0, tried = 0, exchanges = 0;
    for (int i = 0; i < classes; ++i) {
        std::mt19937_64 random(seed + std::uint64_t(i));
        SimulatedClass calls = draw_class(random, best);
        calls.flow = flow;
        calls.one_clock = one_clock;
        calls.lateness = lateness;
        const auto courses = run(calls, after, share, random());
        for (std::size_t j = 0; j < after.size(); ++j) {
            logarithms[j] += std::log(courses[j].over_native) / classes;
            worst[j] = std::max(worst[j], courses[j].over_native);
        }
        const double least = *std::min_element(calls.takes.begin(), calls.takes.end());
        near_best += calls.takes[courses.back().last_arm] <= 1.1 * least ? 1 : 0;
        tried += courses.back().tried;
        exchanges += courses.back().exchanges;
    }
    fmt::print("| {} | {:g} | {:g} |", name, best, lateness);
    for (std::size_t j = 0; j < after.size(); ++j)
        fmt::print(" {:.3f}, {:.2f} |", std::exp(logarithms[j]), worst[j]);
    fmt::print(" {:.0f} % | {:.0f} | {:.1f} |\n", 100.0 * double(near_best) / classes,
               double(tried) / classes, double(exchanges) / classes);
}

}  // namespace

int main(int argc, char** argv) {
    namespace po = boost::program_options;
    int classes = 0;
    std::uint64_t seed = 0;
    po::options_description options("trial_study [CLASSES [SEED]]");
    options.add_options()("help,h", "this text")                                                   //
        ("classes", po::value(&classes)->default_value(200), "of calls that are drawn at random")  //
        ("seed", po::value(&seed)->default_value(1), "of the drawing");
    try {
        const auto given = parsed({argv + 1, argv + argc}, options,
                                  po::positional_options_description().add("classes", 1).add("seed", 1));
        if (given.count("help") != 0) {
            std::cout << options;
            return 0;
        }
        if (classes < 1) throw po::error("the number of classes must be 1 or more");
    } catch (const po::error& error) {
        fmt::print(stderr, "trial_study: {}\n", error.what());
        return 2;
    }
    fmt::print(
        "| calls | best over native | ranks come over | 20 calls: mean, worst | 200 calls | 2000 calls | "
        "ended within 10 % of the best | calls tried | exchanges |\n|---|---|---|---|---|---|---|---|---|\n");
    const struct {
        const char* name;
        Flow flow;
        bool one_clock;
    } kinds[] = {{"synchronising, one clock", Flow::synchronising, true},
                 {"synchronising, own clocks", Flow::synchronising, false},
                 {"from the root", Flow::from_root, false},
                 {"to the root", Flow::to_root, false}};
    for (const auto& kind : kinds)
        for (const double best : {0.5, 1.1})
            for (const double lateness : {0.0, 0.1, 1.0, 10.0})
                print_row(kind.name, kind.flow, kind.one_clock, lateness, best, classes, seed);
}
