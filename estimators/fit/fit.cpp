// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/fit.hpp"

#include "estimators/fit/robust_regression.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One row per sample: what the coefficients are multiplied with, and the time.
template <class Sample, class Row>
Regression regress_rows(std::span<const Sample> samples, int coefficients, const Row& row) {
    MatrixXd x = MatrixXd::Zero(Index(samples.size()), coefficients);
    VectorXd y(Index(samples.size()));
    for (Index i = 0; i < y.size(); ++i) {
        const Sample& sample = samples[std::size_t(i)];
        row(sample, x.row(i));
        y[i] = sample.time;
    }
    return regress(x, y);
}

template <class Model>
Fit<Model> fit_of(const Regression& found, Model model, Model error) {
    return {.model = std::move(model),
            .error = std::move(error),
            .residual = found.residual,
            .samples = int(found.weights.size()),
            .outliers = int((found.weights.array() < 0.1).count())};
}

std::vector<MessageSample> to_one_peer(std::span<const MessageSample> samples) {
    std::vector<MessageSample> single;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(single),
                 [](const MessageSample& sample) { return sample.peers == 1; });
    return single;
}

}  // namespace

Fit<Hockney> fit_hockney(std::span<const MessageSample> samples) {
    const auto single = to_one_peer(samples);
    const Regression found =
        regress_rows(std::span(single), 2, [](const MessageSample& s, auto x) { x << 1, double(s.bytes); });
    const auto& c = found.coefficients;
    return fit_of(found, Hockney{c[0], c[1]}, Hockney{found.errors[0], found.errors[1]});
}

Fit<Work> fit_work(std::span<const WorkSample> samples) {
    const Regression found =
        regress_rows(samples, 2, [](const WorkSample& s, auto x) { x << 1, double(s.bytes); });
    const auto &c = found.coefficients, &e = found.errors;
    return fit_of(found, Work{c[0], c[1]}, Work{e[0], e[1]});
}

}  // namespace echelon
