// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <random>

namespace echelon {
namespace {

/// Probability that the true median of n samples lies between these places, which are equally far from either
/// end. Computed by Boost.Math, which programs do not link.
double confidence_of(std::size_t n, const Places& places) {
    return 1 - 2 * boost::math::cdf(boost::math::binomial(double(n), 0.5), double(places.low));
}

TEST(Median, is_the_middle_one_or_the_mean_of_the_two_there) {
    EXPECT_EQ(median({7}), 7);
    EXPECT_EQ(median({9, 1, 4}), 4);
    EXPECT_EQ(median({8, 1, 2, 100}), 5);
}

TEST(Median, TheMedianIsTheMiddleOne) {
    EXPECT_EQ(median_interval({3, 1, 2}).median, 2);
    EXPECT_EQ(median_interval({4, 1, 2, 3}).median, 2.5);
    EXPECT_EQ(median_interval({7}).median, 7);
}

TEST(Quantile, is_the_smallest_that_such_a_share_does_not_exceed) {
    EXPECT_EQ(quantile({1, 2, 3, 4}, 0.25), 1);
    EXPECT_EQ(quantile({1, 2, 3, 4}, 0.26), 2);
    EXPECT_EQ(quantile({1, 2, 3, 4}, 0), 1);
    EXPECT_EQ(quantile({1, 2, 3, 4}, 1), 4);
}

TEST(Median, OneOutlierMovesNothing) {
    std::vector<double> samples(21, 1.0);
    samples[4] = 1e9;
    const MedianInterval interval = median_interval(samples);
    EXPECT_EQ(interval.median, 1);
    EXPECT_EQ(interval.low, 1);
    EXPECT_EQ(interval.high, 1);
}

TEST(Median, FewSamplesEncloseTheMedianByTheirExtremes) {
    const MedianInterval interval = median_interval({5, 1, 3});
    EXPECT_EQ(interval.low, 1);
    EXPECT_EQ(interval.high, 5);
    for (std::size_t n = 1; n <= 5; ++n) EXPECT_EQ(places_around_median(n, 0.95), (Places{0, n - 1}));
}

TEST(PlacesAroundMedian, AgreeWithTheTablesOfTheSignTest) {
    // The rank, counted from 1, of the lower end: one more than the two-sided critical value at 5 %.
    const std::vector<std::pair<std::size_t, std::size_t>> table{
        {6, 1}, {8, 1}, {9, 2}, {11, 2}, {12, 3}, {20, 6}, {25, 8}, {30, 10}, {50, 18}, {70, 27}, {100, 40}};
    for (const auto& [n, rank] : table)
        EXPECT_EQ(places_around_median(n, 0.95), (Places{rank - 1, n - rank})) << n << " samples";
}

TEST(PlacesAroundMedian, TheNarrowestThatAreConfidentEnough) {
    for (std::size_t n = 6; n <= 3000; n = n * 4 / 3) {
        const Places places = places_around_median(n, 0.95);
        EXPECT_GE(confidence_of(n, places), 0.95) << n;
        EXPECT_LT(confidence_of(n, {places.low + 1, places.high - 1}), 0.95) << n;
        EXPECT_EQ(places.low + places.high, n - 1);
    }
}

TEST(PlacesAroundMedian, MoreConfidenceIsWider) {
    EXPECT_EQ(places_around_median(100, 0.99), (Places{36, 63}));
    EXPECT_LT(places_around_median(1000, 0.999).low, places_around_median(1000, 0.95).low);
}

TEST(Median, CoversTheTrueMedianAsOftenAsItSays) {
    std::mt19937 random(20160523);
    std::lognormal_distribution<double> skewed(0.0, 1.0);  // its median is 1
    const int experiments = 2000;
    int covered = 0;
    for (int i = 0; i < experiments; ++i) {
        std::vector<double> samples(30);
        std::generate(samples.begin(), samples.end(), [&] { return skewed(random); });
        const MedianInterval interval = median_interval(samples);
        if (interval.low <= 1 && 1 <= interval.high) ++covered;
    }
    EXPECT_GE(covered, experiments * 94 / 100);
    EXPECT_LT(covered, experiments);
}

}  // namespace
}  // namespace echelon
