// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/fit.hpp"

#include "estimators/fit/robust_regression.hpp"

namespace echelon {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A line through the samples' times, by bytes.
template <class Sample>
Regression regress_line(std::span<const Sample> samples) {
    MatrixXd x = MatrixXd::Ones(Index(samples.size()), 2);
    VectorXd y(Index(samples.size()));
    for (Index i = 0; i < y.size(); ++i) {
        const Sample& sample = samples[std::size_t(i)];
        x(i, 1) = double(sample.bytes);
        y[i] = sample.time;
    }
    return regress(x, y);
}

}  // namespace

Fit<Hockney> fit_hockney(std::span<const MessageSample> samples) {
    const auto [line, residual] = regress_line(samples);
    return {{line[0], line[1]}, residual};
}

SecondsPerByte fit_per_byte(std::span<const WorkSample> samples) {
    return regress_line(samples).coefficients[1];
}

}  // namespace echelon
