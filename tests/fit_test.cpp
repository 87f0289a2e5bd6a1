// SPDX-License-Identifier: Apache-2.0
// Fits recover the parameters that noisy samples with outliers were made with, within the error that they
// state.
#include "estimators/fit.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <random>

namespace echelon {
namespace {

using ::testing::HasSubstr;

constexpr Bytes lengths[] = {1, 8, 64, 512, 4096, 16384, 65536, 262144, 1048576};

/// A clock that is off by 3 %, and stolen from by somebody else every eighth time.
class Noise {
public:
    explicit Noise(unsigned seed) : random_(seed) {}
    Seconds operator()(Seconds time) {
        const double stolen = std::uniform_real_distribution(0.0, 1.0)(random_) < 0.125
                                  ? std::uniform_real_distribution(1.5, 20.0)(random_)
                                  : 1;
        return time * stolen * std::exp(std::normal_distribution(0.0, 0.03)(random_));
    }

private:
    std::mt19937 random_;
};

std::vector<MessageSample> messages(const std::function<Seconds(Bytes, int)>& truth,
                                    const std::vector<int>& peers, Noise& noise) {
    std::vector<MessageSample> samples;
    for (const Bytes bytes : lengths)
        for (const int b : peers)
            for (int repeat = 0; repeat < 8; ++repeat) samples.push_back({bytes, b, noise(truth(bytes, b))});
    return samples;
}

/// Counts how often the truth lies inside the stated error, over many seeds.
class Coverage {
public:
    void check(const char* parameter, double truth, double found, double error) {
        ++checks_;
        if (std::abs(found - truth) <= error) ++inside_;
        // Far off is wrong whatever the error says; the error must not be so wide that it says nothing.
        EXPECT_NEAR(found, truth, 0.15 * truth) << parameter;
        EXPECT_LT(error, 0.15 * truth) << parameter;
    }
    double share() const { return double(inside_) / checks_; }

private:
    int checks_ = 0, inside_ = 0;
};

constexpr unsigned seeds = 60;

TEST(Fit, recovers_hockney) {
    Coverage coverage;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        Noise noise(seed);
        const Hockney truth{2e-6, 1e-10};
        const auto fit =
            fit_hockney(messages([&](Bytes m, int) { return truth.time(double(m)); }, {1}, noise));
        coverage.check("alpha", truth.alpha, fit.model.alpha, fit.error.alpha);
        coverage.check("beta", truth.beta, fit.model.beta, fit.error.beta);
        EXPECT_NEAR(fit.residual, 0.03, 0.015);
        EXPECT_NEAR(double(fit.outliers) / fit.samples, 0.125, 0.1);
    }
    EXPECT_GT(coverage.share(), 0.9);
}

TEST(Fit, recovers_log_gp) {
    Coverage coverage;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        Noise noise(seed);
        const LogGP truth{.latency = 3e-6, .overhead = 4e-7, .gap = 9e-7, .per_byte = 2e-10};
        const auto samples = messages(
            [&](Bytes m, int b) {
                return truth.time(double(m)) + (b - 1) * (truth.gap + truth.tail(double(m)));
            },
            {1, 2, 4, 8}, noise);
        std::vector<OverheadSample> overheads;
        for (int i = 0; i < 40; ++i) overheads.push_back({8, noise(truth.overhead), noise(truth.overhead)});
        const auto fit = fit_log_gp(samples, overheads);
        coverage.check("L", truth.latency, fit.model.latency, fit.error.latency);
        coverage.check("g", truth.gap, fit.model.gap, fit.error.gap);
        coverage.check("G", truth.per_byte, fit.model.per_byte, fit.error.per_byte);
        EXPECT_NEAR(fit.model.overhead, truth.overhead, 0.1 * truth.overhead);
    }
    EXPECT_GT(coverage.share(), 0.9);
}

TEST(Fit, recovers_the_pipelining_postal_model) {
    Coverage coverage;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        Noise noise(seed);
        const Postal truth{1.5e-6, 3.8e-7, 4e-10};
        const auto fit = fit_postal(
            messages([&](Bytes m, int b) { return truth.stage(b, double(m), 0); }, {1, 2, 3, 5, 8}, noise));
        coverage.check("alpha_p", truth.alpha_p, fit.model.alpha_p, fit.error.alpha_p);
        coverage.check("alpha_r", truth.alpha_r, fit.model.alpha_r, fit.error.alpha_r);
        coverage.check("beta", truth.beta, fit.model.beta, fit.error.beta);
    }
    EXPECT_GT(coverage.share(), 0.9);
}

TEST(Fit, recovers_the_tables_of_p_log_p) {
    Coverage coverage;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        Noise noise(seed);
        // A gap that no straight line describes.
        const auto gap = [](Bytes m) { return 1e-6 + double(m) * 2e-10 + (m > 4096 ? 5e-6 : 0); };
        const Seconds latency = 4e-6;
        const auto samples =
            messages([&](Bytes m, int b) { return latency + b * gap(m); }, {1, 2, 4, 8}, noise);
        std::vector<OverheadSample> overheads;
        for (const Bytes m : lengths)
            for (int i = 0; i < 30; ++i) overheads.push_back({m, noise(gap(m) / 4), noise(gap(m) / 3)});
        const auto fit = fit_p_log_p(samples, overheads);
        coverage.check("L", latency, fit.model.latency, fit.error.latency);
        for (const Bytes m : lengths) {
            coverage.check("g", gap(m), fit.model.g(double(m)), fit.error.g(double(m)));
            EXPECT_NEAR(fit.model.o_s(double(m)), gap(m) / 4, 0.1 * gap(m));
            EXPECT_NEAR(fit.model.o_r(double(m)), gap(m) / 3, 0.1 * gap(m));
        }
    }
    EXPECT_GT(coverage.share(), 0.9);
}

std::vector<ConcurrentSample> concurrent(const MaxRate& truth, Noise& noise) {
    std::vector<ConcurrentSample> samples;
    for (const Bytes bytes : lengths)
        for (const int pairs : {1, 2, 4, 8, 16})
            for (int repeat = 0; repeat < 6; ++repeat)
                samples.push_back({bytes, pairs, noise(truth.time(double(bytes), pairs))});
    return samples;
}

TEST(Fit, recovers_own_rate_and_card_of_the_max_rate_model) {
    Coverage coverage;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        Noise noise(seed);
        const MaxRate truth{2e-6, 3e9, 1e10};
        const auto fit = fit_max_rate(concurrent(truth, noise));
        coverage.check("alpha", truth.alpha, fit.model.alpha, fit.error.alpha);
        coverage.check("own rate", truth.own, fit.model.own, fit.error.own);
        coverage.check("card", truth.card, fit.model.card, fit.error.card);
    }
    EXPECT_GT(coverage.share(), 0.9);
}

TEST(Fit, sees_no_card_where_there_is_no_limit) {
    for (unsigned seed = 0; seed < seeds; ++seed) {
        Noise noise(seed);
        const auto fit = fit_max_rate(concurrent({2e-6, 3e9, 1e12}, noise));
        EXPECT_GT(fit.model.card, 16 * 3e9 * 0.8);
        EXPECT_NEAR(fit.model.own, 3e9, 0.1 * 3e9);
    }
}

TEST(Fit, finds_where_the_library_switches_its_protocol) {
    int found = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        Noise noise(seed);
        const PiecewiseHockney truth{{{0, {1e-6, 8e-10}}, {8192, {6e-6, 3e-10}}, {262144, {2e-5, 1e-10}}}};
        std::vector<MessageSample> samples;
        for (Bytes m = 1; m <= 4 << 20; m *= 2)
            for (int repeat = 0; repeat < 8; ++repeat)
                samples.push_back({m, 1, noise(truth.time(double(m)))});
        const auto fit = fit_piecewise_hockney(samples);
        for (Bytes m = 1; m <= 4 << 20; m *= 2)
            EXPECT_NEAR(fit.model.time(double(m)), truth.time(double(m)), 0.1 * truth.time(double(m)))
                << "seed " << seed << ", " << m << " bytes";
        if (fit.model.pieces.size() == 3 && fit.model.pieces[1].from == 8192 &&
            fit.model.pieces[2].from == 262144)
            ++found;
    }
    EXPECT_GE(found, 16);
}

TEST(Fit, makes_no_pieces_of_a_straight_line) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        Noise noise(seed);
        const Hockney truth{2e-6, 1e-10};
        EXPECT_EQ(
            fit_piecewise_hockney(messages([&](Bytes m, int) { return truth.time(double(m)); }, {1}, noise))
                .model.pieces.size(),
            1u)
            << "seed " << seed;
    }
}

TEST(Fit, recovers_what_an_algorithm_costs) {
    Coverage coverage;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        Noise noise(seed);
        const CostParameters truth{5e-6, 3e-10, 2e-10};
        std::vector<CostSample> samples;
        for (const Bytes m : lengths)
            for (int repeat = 0; repeat < 8; ++repeat) {
                const Cost cost{14, 1.75 * double(m), 0.875 * double(m)};
                samples.push_back({cost, noise(truth.time(cost))});
            }
        const auto fit = fit_cost(samples, truth.gamma);
        coverage.check("alpha", truth.alpha, fit.model.alpha, fit.error.alpha);
        coverage.check("beta", truth.beta, fit.model.beta, 1.5 * fit.error.beta);
    }
    EXPECT_GT(coverage.share(), 0.85);
}

TEST(Fit, recovers_the_cost_of_combining) {
    Noise noise(1);
    std::vector<WorkSample> samples;
    for (const Bytes m : lengths)
        for (int i = 0; i < 8; ++i) samples.push_back({m, noise(5e-8 + 1.2e-10 * double(m))});
    const auto fit = fit_work(samples);
    EXPECT_NEAR(fit.model.start, 5e-8, fit.error.start);
    EXPECT_NEAR(fit.model.per_byte, 1.2e-10, fit.error.per_byte);
}

TEST(Fit, sees_how_the_gap_falls_with_many_peers) {
    Noise noise(1);
    const LogGP truth{.latency = 3e-6, .overhead = 4e-7, .gap = 2e-6, .per_byte = 2e-10};
    const Table factor({{2, 1}, {8, 1}, {16, 0.5}});
    const auto time = [&](Bytes m, int b) {
        return truth.time(double(m)) + (b - 1) * (truth.gap * factor.clamped(b) + truth.tail(double(m)));
    };
    std::vector<MessageSample> samples;
    for (const Bytes m : {Bytes(1), Bytes(512)})
        for (const int b : {1, 2, 4, 8, 16})
            for (int i = 0; i < 30; ++i) samples.push_back({m, b, noise(time(m, b))});
    const Table found = gap_by_peers(truth, samples);
    EXPECT_NEAR(found.clamped(8), 1, 0.1);
    EXPECT_NEAR(found.clamped(16), 0.5, 0.1);
}

TEST(Fit, without_noise_is_exact) {
    std::vector<MessageSample> samples;
    for (const Bytes m : lengths) samples.push_back({m, 1, Hockney{2e-6, 1e-10}.time(double(m))});
    const auto fit = fit_hockney(samples);
    EXPECT_NEAR(fit.model.alpha, 2e-6, 1e-15);
    EXPECT_NEAR(fit.model.beta, 1e-10, 1e-19);
    EXPECT_LT(fit.residual, 1e-9);
    EXPECT_EQ(fit.outliers, 0);
}

TEST(Fit, gives_no_negative_parameters) {
    std::vector<MessageSample> samples;
    for (const Bytes m : lengths) samples.push_back({m, 1, 1e-6 - 1e-13 * double(m)});
    const auto fit = fit_hockney(samples);
    EXPECT_EQ(fit.model.beta, 0);
    EXPECT_GT(fit.model.alpha, 0.8e-6);
}

template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(Fit, refuses_samples_that_say_too_little) {
    const std::vector<MessageSample> one_length{{8, 1, 1e-6}, {8, 1, 1.1e-6}, {8, 1, 1.2e-6}};
    EXPECT_THAT(refusal([&] { fit_hockney(one_length); }), HasSubstr("do not tell the parameters apart"));
    EXPECT_THAT(refusal([&] { fit_hockney({}); }), HasSubstr("needs as many samples"));
    EXPECT_THAT(refusal([&] { fit_piecewise_hockney(one_length); }), HasSubstr("three lengths"));
    const std::vector<MessageSample> zero_time{{8, 1, 0}, {16, 1, 1e-6}};
    EXPECT_THAT(refusal([&] { fit_hockney(zero_time); }), HasSubstr("positive"));
    // L and g(m) only part company where several messages leave at once.
    const std::vector<MessageSample> one_peer{{8, 1, 1e-6}, {64, 1, 1.1e-6}, {512, 1, 1.2e-6}};
    EXPECT_THAT(refusal([&] { fit_p_log_p(one_peer, {}); }), HasSubstr("needs as many samples"));
}

}  // namespace
}  // namespace echelon
