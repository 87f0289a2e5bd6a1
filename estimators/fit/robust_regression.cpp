// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/robust_regression.hpp"

#include "core/error.hpp"
#include "core/statistics.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace echelon {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Number of standard deviations beyond which a sample does not count; 95 % as efficient as least squares
/// without outliers.
constexpr double bisquare_reach = 4.685;

/// Least squares with a weight per row; the columns may have any scale.
VectorXd weighted_least_squares(const MatrixXd& a, const VectorXd& b, const VectorXd& weights) {
    const VectorXd roots = weights.cwiseSqrt();
    const MatrixXd rows = roots.asDiagonal() * a;
    const VectorXd scale = rows.colwise().norm().transpose();
    if ((scale.array() <= 0).any()) throw Error("a parameter leaves no trace in the samples");
    const auto decomposition = (rows * scale.cwiseInverse().asDiagonal()).colPivHouseholderQr();
    if (decomposition.rank() < a.cols())
        throw Error(
            "the samples do not tell the parameters apart: vary the lengths and numbers of messages more");
    return scale.cwiseInverse().asDiagonal() * decomposition.solve(roots.cwiseProduct(b));
}

/// Standard deviation, estimated from the median of absolute deviations.
double robust_scale(const VectorXd& deviations, Index parameters) {
    const double samples = double(deviations.size());
    const double freedom = samples / std::max(samples - double(parameters), 1.0);
    const VectorXd sizes = deviations.cwiseAbs();
    return 1.4826 * median({sizes.begin(), sizes.end()}) * freedom;
}

VectorXd bisquare_weights(const VectorXd& deviations, double scale) {
    return deviations.unaryExpr([&](double d) {
        const double u = d / (bisquare_reach * scale);
        return std::abs(u) >= 1 ? 0 : (1 - u * u) * (1 - u * u);
    });
}

struct Estimate {
    VectorXd c;
    double scale = 0;
};

Estimate estimate(const MatrixXd& a, const VectorXd& b) {
    // Least absolute deviations, as least squares with weights 1 / |deviation|.
    VectorXd c = weighted_least_squares(a, b, VectorXd::Ones(a.rows()));
    for (int i = 0; i < 30; ++i) {
        const VectorXd deviations = a * c - b;
        const double floor = 1e-3 * std::max(deviations.cwiseAbs().mean(), 1e-12);
        c = weighted_least_squares(a, b, deviations.cwiseAbs().cwiseMax(floor).cwiseInverse());
    }
    // Samples without noise have scale 0, which is no divisor.
    const double scale = std::max(robust_scale(a * c - b, a.cols()), 1e-9);
    for (int i = 0; i < 50; ++i) {
        const VectorXd weights = bisquare_weights(a * c - b, scale);
        const VectorXd next = weighted_least_squares(a, b, weights.cwiseMax(1e-12));
        const double change = (a * (next - c)).cwiseAbs().maxCoeff();
        c = next;
        if (change < 1e-12) break;
    }
    return {c, scale};
}

MatrixXd without_column(const MatrixXd& a, Index column) {
    MatrixXd rest(a.rows(), a.cols() - 1);
    rest << a.leftCols(column), a.rightCols(a.cols() - column - 1);
    return rest;
}

}  // namespace

Regression regress(const MatrixXd& x, const VectorXd& y) {
    if (x.rows() < x.cols())
        throw Error("a fit of " + std::to_string(x.cols()) +
                    " parameters needs as many samples at least, not " + std::to_string(x.rows()));
    if (!(y.array() > 0).all() || !y.allFinite() || !x.allFinite())
        throw Error("a fit needs positive, finite times");

    // Relative deviations: every row is divided by its time.
    MatrixXd a = y.cwiseInverse().asDiagonal() * x;
    const VectorXd b = VectorXd::Ones(y.size());
    std::vector<Index> kept(static_cast<std::size_t>(x.cols()));
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = Index(i);

    Estimate found = estimate(a, b);
    for (Index worst; a.cols() > 1 && found.c.minCoeff(&worst) < 0;) {
        a = without_column(a, worst);
        kept.erase(kept.begin() + worst);
        found = estimate(a, b);
    }

    Regression result{.coefficients = VectorXd::Zero(x.cols())};
    for (std::size_t i = 0; i < kept.size(); ++i)
        result.coefficients[kept[i]] = std::max(found.c[Index(i)], 0.0);
    const VectorXd deviations = a * found.c - b, weights = bisquare_weights(deviations, found.scale);
    result.residual = std::sqrt(weights.dot(deviations.cwiseAbs2()) / std::max(weights.sum(), 1e-12));
    return result;
}

}  // namespace echelon
