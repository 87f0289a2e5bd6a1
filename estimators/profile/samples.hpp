// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

#include <cmath>

namespace echelon {

/// Recipes that differ in their segment sizes alone, which change with the vector, are of one series: their
/// samples are of one curve. A pipelined shape is another thing than the same shape in one piece.
struct SameSeries {
    bool operator()(const Recipe* a, const Recipe* b) const;
};
struct SeriesHash {
    std::size_t operator()(const Recipe* recipe) const;
};
/// A recipe without numbers and groups: what its algorithms and shapes are. Corrections are by family.
std::string family_of(const Recipe& recipe);
/// Of an algorithm: tree or butterfly (few messages, of the whole vector or of parts), chain or ring (many);
/// for shapes the shape; for native native.
std::string_view class_of(const Recipe& recipe);

/// How many factors of two lie between them.
inline double octaves(double a, double b) { return std::abs(std::log2(a / b)); }
/// What interpolation adds to an error, for each factor of two between the sizes, and what going beyond them adds.
constexpr double error_per_octave = 0.01;
constexpr double error_beyond_per_octave = 0.05;

/// The curve of measured times of one series: the recipe's, as shares of what the model predicts (native: in
/// seconds), interpolated in the logarithms of size and share.
class Curve {
public:
    /// Ascending bytes; a second point of the same size replaces the first.
    void add(Bytes bytes, double value, double spread);

    struct Value {
        double value = 1;
        double spread = 0;
        /// In factors of two of size: to the nearest sample, 0 on one.
        double distance = 0;
        /// Between two samples.
        bool inside = false;
    };
    /// Beyond the ends the last value holds. Requires: not empty.
    Value at(Bytes bytes) const;
    /// The same, between two samples on a straight line: times go by a + b m, shares do not.
    Value on_line(Bytes bytes) const;
    bool empty() const { return points_.empty(); }
    Bytes last() const { return points_.back().bytes; }

private:
    struct Point {
        Bytes bytes;
        double log_bytes, log_value, spread;
    };
    /// `between(a, b, x)`: the value at x = log2(bytes), which lies between two points.
    template <class Between>
    Value found(Bytes bytes, Between&& between) const;

    std::vector<Point> points_;
};

}  // namespace echelon
