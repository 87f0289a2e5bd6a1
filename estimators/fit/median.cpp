// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/median.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace echelon {

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
    const boost::math::binomial below(double(n), 0.5);  // samples below the true median
    const auto low = std::size_t(boost::math::quantile(below, (1 - confidence) / 2));  // rounded down
    return {low, n - 1 - low};
}

MedianInterval median_interval(std::vector<double> samples, double confidence) {
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    const Places places = places_around_median(n, confidence);
    return {(samples[(n - 1) / 2] + samples[n / 2]) / 2, samples[places.low], samples[places.high]};
}

}  // namespace echelon
