// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {
namespace {

/// P(B = k), B binomial of n and 1/2; in logarithms, for 2^-n may be too small for a double.
double probability(std::size_t n, std::size_t k) {
    const double trials = double(n), hits = double(k);
    return std::exp(std::lgamma(trials + 1) - std::lgamma(hits + 1) - std::lgamma(trials - hits + 1) -
                    trials * std::log(2.0));
}

}  // namespace

double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return values.size() % 2 != 0 ? *middle : (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double quantile(const std::vector<double>& sorted, double share) {
    const auto place = std::size_t(std::ceil(share * double(sorted.size())));
    return sorted[std::max<std::size_t>(place, 1) - 1];
}

Places places_around_median(std::size_t n, double confidence) {
    const double outside = (1 - confidence) / 2;  // at each end
    std::size_t beyond = 0;
    for (double sum = probability(n, 0); sum <= outside && 2 * (beyond + 1) < n;
         sum += probability(n, beyond))
        ++beyond;
    const std::size_t low = beyond == 0 ? 0 : beyond - 1;
    return {low, n - 1 - low};
}

MedianInterval median_interval(std::vector<double> samples, double confidence) {
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    const Places places = places_around_median(n, confidence);
    return {(samples[(n - 1) / 2] + samples[n / 2]) / 2, samples[places.low], samples[places.high]};
}

}  // namespace echelon
