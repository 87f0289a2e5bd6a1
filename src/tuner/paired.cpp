// SPDX-License-Identifier: Apache-2.0
#include "tuner/paired.hpp"

#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {
namespace {

/// True if the rank sum of the positive differences exceeds its mean under random signs by more than `proof`
/// asks for, in standard deviations.
bool mostly_positive(std::vector<double> differences, Proof proof) {
    std::erase(differences, 0.0);
    std::stable_sort(differences.begin(), differences.end(),
                     [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double n = double(differences.size());
    double excess = -n * (n + 1) / 4;
    for (std::size_t i = 0; i < differences.size(); ++i)
        if (differences[i] > 0) excess += double(i + 1);
    const double squared_deviations = proof == Proof::little ? 2.0 : 5.4;
    const double variance = n * (n + 1) * (2 * n + 1) / 24;
    return excess > 0 && excess * excess >= squared_deviations * variance;
}

}  // namespace

bool below(const std::vector<Pair>& pairs, double factor, Proof proof) {
    std::vector<double> leads;
    for (const Pair& pair : pairs) leads.push_back(factor * pair.theirs - pair.ours);
    return mostly_positive(std::move(leads), proof);
}

bool above(const std::vector<Pair>& pairs, double factor, Proof proof) {
    std::vector<double> lags;
    for (const Pair& pair : pairs) lags.push_back(pair.ours - factor * pair.theirs);
    return mostly_positive(std::move(lags), proof);
}

double middle_ratio(const std::vector<Pair>& pairs) {
    std::vector<double> ratios;
    for (const Pair& pair : pairs) ratios.push_back(pair.ours / pair.theirs);
    return median(std::move(ratios));
}

}  // namespace echelon
