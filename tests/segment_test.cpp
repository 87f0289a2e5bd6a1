// SPDX-License-Identifier: Apache-2.0
// Segments by formula against the best of all: regret is what the chosen one costs more.
#include "estimators/segment.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace echelon {
namespace {

constexpr SecondsPerByte gamma_ = 3e-10;
const Hockney gigabit{50e-6, 8e-9}, infiniband{2e-6, 1e-10}, shared_memory{5e-7, 2e-10};

const Algorithm& row(Collective collective, const char* name) { return *find_algorithm(collective, name); }

/// The least time over all numbers of segments up to 4096.
Seconds exhaustive(const Algorithm& algorithm, Problem problem, const Network& network) {
    Seconds least = predict(algorithm, problem, network, gamma_);
    for (Bytes segments = 2; segments <= 4096 && problem.bytes / segments >= 64; ++segments) {
        problem.segment = (problem.bytes + segments - 1) / segments;
        least = std::min(least, predict(algorithm, problem, network, gamma_));
    }
    return least;
}

double regret(const Algorithm& algorithm, Problem problem, const Network& network) {
    const Seconds best = exhaustive(algorithm, problem, network);
    problem.segment = best_segment(algorithm, problem, network, gamma_);
    return predict(algorithm, problem, network, gamma_) / best - 1;
}

/// n* = sqrt(A m b / (c alpha)) of a chain broadcast: A = p - 2, c = 1, b = beta.
TEST(Segment, of_a_chain_is_the_textbooks) {
    const Algorithm& chain = row(Collective::bcast, "chain");
    const Problem problem{.p = 18, .bytes = 1 << 20};
    const double segments = pipeline_time(chain, problem, gigabit, gamma_).best_segments();
    EXPECT_NEAR(segments, std::sqrt(16 * double(1 << 20) * 8e-9 / 50e-6), 1e-6);
    const Bytes segment = best_segment(chain, problem, gigabit, gamma_);
    EXPECT_NEAR(double(1 << 20) / double(segment), segments, 1);

    // And the time is (sqrt(A alpha) + sqrt(m b))^2, a little more for a whole number of segments.
    Problem cut = problem;
    cut.segment = segment;
    const double ideal = std::pow(std::sqrt(16 * 50e-6) + std::sqrt(double(1 << 20) * 8e-9), 2);
    EXPECT_GE(predict(chain, cut, gigabit, gamma_), ideal * (1 - 1e-9));
    EXPECT_LE(predict(chain, cut, gigabit, gamma_), ideal * 1.001);
}

TEST(Segment, costs_at_most_two_percent_more_than_the_best_under_hockney) {
    int cut = 0;
    for (const Algorithm& algorithm : catalog()) {
        if (!algorithm.takes_segment) continue;
        for (const Hockney& network : {gigabit, infiniband, shared_memory})
            for (const int p : {2, 3, 8, 13, 64})
                for (const Bytes bytes :
                     {Bytes(64), Bytes(4096), Bytes(65536), Bytes(1 << 20), Bytes(4 << 20)}) {
                    const Problem problem{.p = p, .bytes = bytes, .radix = algorithm.default_radix};
                    EXPECT_LE(regret(algorithm, problem, network), 0.02)
                        << name(algorithm.collective) << ' ' << algorithm.name << ", p = " << p << ", "
                        << bytes << " bytes, alpha = " << network.alpha;
                    if (best_segment(algorithm, problem, network, gamma_) != 0) ++cut;
                }
    }
    EXPECT_GT(cut, 50);
}

TEST(Segment, costs_at_most_five_percent_more_under_the_other_models) {
    const LogGP log_gp{.latency = 3e-6, .overhead = 4e-7, .gap = 9e-7, .per_byte = 2e-10};
    const Postal postal{1.5e-6, 3.8e-7, 4e-10};
    for (const char* name : {"chain", "binary"})
        for (const Collective collective : {Collective::bcast, Collective::reduce})
            for (const Network& network : {Network(log_gp), Network(postal)})
                for (const int p : {3, 8, 33})
                    for (const Bytes bytes : {Bytes(4096), Bytes(65536), Bytes(1 << 20)})
                        EXPECT_LE(regret(row(collective, name), {.p = p, .bytes = bytes}, network), 0.05)
                            << name << ", p = " << p << ", " << bytes << " bytes";
}

/// Below 8 KiB the library is quick and slow per byte, above it the other way round: the best segment is on
/// the side that wins, or right at the limit, never blindly in between.
TEST(Segment, looks_at_both_sides_of_a_protocol_switch) {
    const PiecewiseHockney network{{{0, {1e-6, 1e-9}}, {8192, {2e-5, 1e-10}}}};
    const Algorithm& chain = row(Collective::bcast, "chain");
    for (const int p : {3, 8, 64})
        for (const Bytes bytes : {Bytes(4096), Bytes(16384), Bytes(65536), Bytes(1 << 20), Bytes(16 << 20)})
            EXPECT_LE(regret(chain, {.p = p, .bytes = bytes}, network), 0.05) << p << ", " << bytes;
}

TEST(Segment, is_made_of_whole_elements) {
    const Algorithm& chain = row(Collective::bcast, "chain");
    for (const Bytes element : {Bytes(4), Bytes(12), Bytes(16)}) {
        const Bytes segment = best_segment(chain, {.p = 9, .bytes = 1200000}, infiniband, gamma_, element);
        EXPECT_GT(segment, 0u);
        EXPECT_EQ(segment % element, 0u);
    }
}

TEST(Segment, leaves_short_messages_and_other_algorithms_whole) {
    EXPECT_EQ(best_segment(row(Collective::bcast, "chain"), {.p = 9, .bytes = 64}, infiniband, gamma_), 0u);
    EXPECT_EQ(best_segment(row(Collective::bcast, "chain"), {.p = 9, .bytes = 0}, infiniband, gamma_), 0u);
    EXPECT_EQ(best_segment(row(Collective::bcast, "chain"), {.p = 1, .bytes = 1 << 20}, infiniband, gamma_),
              0u);
    EXPECT_EQ(
        best_segment(row(Collective::allreduce, "ring"), {.p = 9, .bytes = 1 << 20}, infiniband, gamma_), 0u);
}

}  // namespace
}  // namespace echelon
