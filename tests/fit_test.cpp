// SPDX-License-Identifier: Apache-2.0
// Fits recover the parameters of noisy samples with outliers.
#include "estimators/fit/fit.hpp"

#include "core/error.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <random>

namespace echelon {
namespace {

using ::testing::HasSubstr;

constexpr Bytes lengths[] = {1, 8, 64, 512, 4096, 16384, 65536, 262144, 1048576};

/// A clock with an error of 3 %, interrupted by other processes every eighth time.
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

TEST(Fit, recovers_hockney) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        Noise noise(seed);
        const Hockney truth{2e-6, 1e-10};
        const auto fit =
            fit_hockney(messages([&](Bytes m, int) { return truth.time(double(m)); }, {1}, noise));
        EXPECT_NEAR(fit.model.alpha, truth.alpha, 0.15 * truth.alpha);
        EXPECT_NEAR(fit.model.beta, truth.beta, 0.15 * truth.beta);
        EXPECT_NEAR(fit.residual, 0.03, 0.015);
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

TEST(Fit, recovers_the_cost_of_combining) {
    Noise noise(1);
    std::vector<WorkSample> samples;
    for (const Bytes m : lengths)
        for (int i = 0; i < 8; ++i) samples.push_back({m, noise(5e-8 + 1.2e-10 * double(m))});
    EXPECT_NEAR(fit_per_byte(samples), 1.2e-10, 0.05e-10);
}

TEST(Fit, without_noise_is_exact) {
    std::vector<MessageSample> samples;
    for (const Bytes m : lengths) samples.push_back({m, 1, Hockney{2e-6, 1e-10}.time(double(m))});
    const auto fit = fit_hockney(samples);
    EXPECT_NEAR(fit.model.alpha, 2e-6, 1e-15);
    EXPECT_NEAR(fit.model.beta, 1e-10, 1e-19);
    EXPECT_LT(fit.residual, 1e-9);
}

TEST(Fit, gives_no_negative_parameters) {
    std::vector<MessageSample> samples;
    for (const Bytes m : lengths) samples.push_back({m, 1, 1e-6 - 1e-13 * double(m)});
    const auto fit = fit_hockney(samples);
    EXPECT_EQ(fit.model.beta, 0);
    EXPECT_GT(fit.model.alpha, 0.8e-6);
}

TEST(Fit, refuses_samples_that_say_too_little) {
    const std::vector<MessageSample> one_length{{8, 1, 1e-6}, {8, 1, 1.1e-6}, {8, 1, 1.2e-6}};
    EXPECT_THAT(refusal([&] { fit_hockney(one_length); }), HasSubstr("do not tell the parameters apart"));
    EXPECT_THAT(refusal([&] { fit_hockney({}); }), HasSubstr("needs as many samples"));
    EXPECT_THAT(refusal([&] { fit_piecewise_hockney(one_length); }), HasSubstr("three lengths"));
    const std::vector<MessageSample> zero_time{{8, 1, 0}, {16, 1, 1e-6}};
    EXPECT_THAT(refusal([&] { fit_hockney(zero_time); }), HasSubstr("positive"));
}

}  // namespace
}  // namespace echelon
