// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace echelon {

/// The middle one, or the mean of the two in the middle. Requires: at least one.
double median(std::vector<double> values);

/// The smallest that such a share of the samples does not exceed. Requires: they are sorted, one at least.
double quantile(const std::vector<double>& sorted, double share);

/// The middle of a set of measurements, and the range in which the true middle lies with some confidence.
struct MedianInterval {
    double median = 0;
    double low = 0;
    double high = 0;
};

/// Two places in sorted samples, counted from 0, both included.
struct Places {
    std::size_t low = 0;
    std::size_t high = 0;

    friend bool operator==(const Places&, const Places&) = default;
};

/// The narrowest places, as far from one end as from the other, between which the true median of n
/// independent samples lies with at least this confidence, whatever their distribution: the k-th smallest and
/// the k-th largest enclose it with probability 1 - 2 P(B <= k - 1), B binomial of n and 1/2. Too few samples
/// for the confidence (5 for 95 %) give the first and the last. Requires: n >= 1, 0 < confidence < 1.
Places places_around_median(std::size_t n, double confidence);

/// Requires: at least one sample.
MedianInterval median_interval(std::vector<double> samples, double confidence = 0.95);

}  // namespace echelon
