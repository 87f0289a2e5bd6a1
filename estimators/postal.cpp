// SPDX-License-Identifier: Apache-2.0
#include "estimators/postal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace echelon {
namespace {

/// Lambert's W on the main branch: w with w exp(w) = x, for x >= -1/e, by Halley's iteration.
double lambert_w(double x) {
    // Near -1/e the first terms of the series in sqrt(2 (e x + 1)); elsewhere log(1 + x) is close enough.
    const double root = std::sqrt(std::max(0.0, 2 * (std::numbers::e * x + 1)));
    double w = x < 0 ? -1 + root - root * root / 3 : std::log1p(x);
    for (int i = 0; i < 30; ++i) {
        const double e = std::exp(w), error = w * e - x;
        if (w + 1 < 1e-9) break;
        const double change = error / (e * (w + 1) - (w + 2) * error / (2 * w + 2));
        w -= change;
        if (std::abs(change) <= 1e-15 * (1 + std::abs(w))) break;
    }
    return w;
}

}  // namespace

MessageCost Postal::message(const MessageShape& shape) const {
    const Seconds start = alpha_r_to(shape.peers), transfer = double(shape.bytes) * beta;
    return {.start = start, .transfer = transfer, .latency = alpha_p, .drain = start + transfer};
}

double best_peers(const Postal& model) {
    const double excess = (model.alpha_p - model.alpha_r) / model.alpha_r;
    return std::exp(1 + lambert_w(excess / std::numbers::e)) - 1;
}

}  // namespace echelon
