// SPDX-License-Identifier: Apache-2.0
/// Trials on simulated ranks, with noise and lateness. run() throws if two ranks run different arms.
#include "bench/simulated_class.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace echelon {
namespace {

struct Kind {
    const char* name;
    Flow flow;
    bool one_clock;
};
constexpr Kind one_clock{"one clock", Flow::synchronising, true},
    own_clocks{"own clocks", Flow::synchronising, false}, from_root{"from the root", Flow::from_root, false},
    to_root{"to the root", Flow::to_root, false};

/// Number of ten programs that end with the fastest recipe, or with native.
int programs_that_end_with(std::size_t arm, SimulatedClass calls, const Kind& kind, double lateness) {
    calls.flow = kind.flow;
    calls.one_clock = kind.one_clock;
    calls.lateness = lateness;
    int found = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        found += run(calls, {3000}, 0.05, seed).back().last_arm == arm ? 1 : 0;
    return found;
}

// Trials compared the longest stay in a call: the late rank decided.
TEST(SimulatedClass, finds_the_fastest_whenever_ranks_come) {
    const SimulatedClass calls{
        .takes = {1, 1.2, 0.5, 0.9}, .expected = {1, 0.8, 0.6, 0.6}, .setup = {0, 2, 2, 0}, .exchange = 0.2};
    for (const double lateness : {0.0, 0.1, 1.0, 10.0}) {
        EXPECT_GE(programs_that_end_with(2, calls, one_clock, lateness), 9) << lateness;
        // Late ranks without a common clock see little: native stays more often.
        EXPECT_GE(programs_that_end_with(2, calls, own_clocks, lateness), lateness > 1 ? 3 : 8) << lateness;
    }
    for (const double lateness : {0.0, 0.1})
        EXPECT_GE(programs_that_end_with(2, calls, from_root, lateness), 7) << lateness;
}

// Noise must not win if no arm is faster and clocks differ: native stays.
TEST(SimulatedClass, stays_native_where_nothing_is_faster) {
    const SimulatedClass calls{
        .takes = {1, 1.3, 1.5}, .expected = {1, 0.5, 0.7}, .setup = {0, 1, 0}, .exchange = 0.2};
    for (const Kind& kind : {one_clock, own_clocks, from_root, to_root})
        for (const double lateness : {0.0, 10.0})
            EXPECT_GE(programs_that_end_with(0, calls, kind, lateness), 9)
                << kind.name << " over " << lateness;
}

/// Time of a program's calls over native ones: the geometric mean, and the worst class.
struct Cost {
    double mean, worst;
};

/// Costs after 20, 200 and 2000 calls.
std::array<Cost, 3> costs(const Kind& kind, double best, double lateness) {
    constexpr int classes = 40;
    std::array<Cost, 3> all{};
    for (std::uint64_t seed = 1; seed <= classes; ++seed) {
        std::mt19937_64 random(seed);
        SimulatedClass calls = draw_class(random, best);
        calls.flow = kind.flow;
        calls.one_clock = kind.one_clock;
        calls.lateness = lateness;
        const auto outcomes = run(calls, {20, 200, 2000}, 0.05, random());
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].mean += std::log(outcomes[i].over_native) / classes;
            all[i].worst = std::max(all[i].worst, outcomes[i].over_native);
        }
    }
    for (Cost& one : all) one.mean = std::exp(one.mean);
    return all;
}

// The limits have some room above the table of docs/results.
TEST(SimulatedClass, costs_next_to_nothing_and_gains_what_there_is) {
    const struct {
        Kind kind;
        double best, lateness;
        std::array<Cost, 3> most;
    } rows[] = {{one_clock, 0.5, 0, {{{0.99, 1.03}, {0.72, 1.03}, {0.57, 0.72}}}},
                {one_clock, 0.5, 10, {{{0.99, 1.03}, {0.68, 1.03}, {0.52, 0.72}}}},
                {one_clock, 1.1, 0, {{{1.01, 1.1}, {1.02, 1.05}, {1.03, 1.06}}}},
                {one_clock, 1.1, 10, {{{1.01, 1.1}, {1.02, 1.05}, {1.03, 1.06}}}},
                {own_clocks, 0.5, 0, {{{0.99, 1.03}, {0.74, 1.04}, {0.58, 0.75}}}},
                {own_clocks, 0.5, 1, {{{0.99, 1.03}, {0.70, 1.04}, {0.54, 0.75}}}},
                {own_clocks, 0.5, 10, {{{0.99, 1.03}, {0.85, 1.05}, {0.62, 1.06}}}},
                {own_clocks, 1.1, 0, {{{1.01, 1.1}, {1.02, 1.12}, {1.03, 1.08}}}},
                {own_clocks, 1.1, 10, {{{1.01, 1.1}, {1.02, 1.12}, {1.03, 1.08}}}},
                {from_root, 0.5, 0, {{{1.01, 1.03}, {0.90, 1.06}, {0.65, 0.95}}}},
                {from_root, 1.1, 0, {{{1.01, 1.1}, {1.03, 1.15}, {1.05, 1.1}}}},
                {to_root, 0.5, 0, {{{1.01, 1.1}, {0.97, 1.10}, {0.80, 1.10}}}},
                {to_root, 1.1, 0, {{{1.02, 1.25}, {1.04, 1.28}, {1.04, 1.1}}}}};
    for (const auto& row : rows) {
        const std::array<Cost, 3> found = costs(row.kind, row.best, row.lateness);
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_LE(found[i].mean, row.most[i].mean)
                << row.kind.name << ", best " << row.best << ", over " << row.lateness << ", column " << i;
            EXPECT_LE(found[i].worst, row.most[i].worst)
                << row.kind.name << ", best " << row.best << ", over " << row.lateness << ", column " << i;
        }
    }
}

}  // namespace
}  // namespace echelon
