// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace echelon {

/// The middle value, or the mean of the two middle values. Requires: at least one value.
double median(std::vector<double> values);

/// The smallest sample that is not exceeded by at least a `share` of the samples. Requires: `sorted` ascends
/// and is not empty.
double quantile(const std::vector<double>& sorted, double share);

/// The median of a set of measurements, and the range in which the true median lies with some confidence.
struct MedianInterval {
    double median = 0;
    double low = 0;
    double high = 0;
};

/// Two positions in sorted samples, counted from 0, both included.
struct Places {
    std::size_t low = 0;
    std::size_t high = 0;

    friend bool operator==(const Places&, const Places&) = default;
};

/// The narrowest places, symmetric about the middle, between which the true median of n independent samples
/// lies with at least this confidence, for any distribution: the k-th smallest and the k-th largest enclose
/// it with probability 1 - 2 P(B <= k - 1), B binomial of n and 1/2. Too few samples for the confidence (5
/// for 95 %) give the first and the last. Requires: n >= 1, 0 < confidence < 1.
Places places_around_median(std::size_t n, double confidence);

/// Requires: at least one sample.
MedianInterval median_interval(std::vector<double> samples, double confidence = 0.95);

}  // namespace echelon
