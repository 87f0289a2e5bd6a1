// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace echelon {

/// The outcome of a regression y = X c.
struct Regression {
    Eigen::VectorXd coefficients;
    /// Typical relative deviation of the samples that count: |X c - y| / y.
    double residual = 0;
};

/// Linear regression of positive times with outliers. It minimises relative deviations, because a time ten
/// times as long is measured ten times as coarsely, under Tukey's bisquare loss (iteratively reweighted least
/// squares, from a start of least absolute deviations). Up to about a quarter of outliers does not move it.
/// No coefficient becomes negative: one that would is set to 0.
///
/// Throws Error if there are fewer samples than coefficients, if they do not determine the coefficients, or
/// if y is not positive and finite.
Regression regress(const Eigen::MatrixXd& x, const Eigen::VectorXd& y);

}  // namespace echelon
