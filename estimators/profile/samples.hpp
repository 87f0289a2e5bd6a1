// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/profile/profile.hpp"

#include <cmath>

namespace echelon {

/// Recipes that differ only in their segment sizes belong to one series, because the best segment changes
/// with the vector; their samples form one curve. A pipelined shape is in another series than the same shape
/// in one piece.
struct SameSeries {
    bool operator()(const Recipe* a, const Recipe* b) const;
};
struct SeriesHash {
    std::size_t operator()(const Recipe* recipe) const;
};
/// A recipe without numbers and groups: its algorithms and shapes. Corrections are filed by family.
std::string family_of(const Recipe& recipe);
/// Class of a recipe. For algorithms: tree or butterfly (few messages, of the whole vector or of parts),
/// chain or ring (many messages), memory (shared memory). For shapes the shape; for native "native".
std::string_view class_of(const Recipe& recipe);

/// Distance between two numbers in factors of two.
inline double octaves(double a, double b) { return std::abs(std::log2(a / b)); }
/// Error added per factor of two between sizes, by interpolation and by extrapolation.
constexpr double error_per_octave = 0.01;
constexpr double error_beyond_per_octave = 0.05;

/// Measured times of one series, as ratios to the model's prediction (native: in seconds), interpolated in
/// the logarithms of size and ratio.
class Curve {
public:
    /// Keeps points in ascending order; a second point of the same size replaces the first.
    void add(Bytes bytes, double value, double spread);

    struct Value {
        double value = 1;
        double spread = 0;
        /// Distance to the nearest sample in factors of two of size; 0 on a sample.
        double distance = 0;
        /// Distance between the samples on both sides in factors of two of size; 0 unless between two.
        double gap = 0;
        /// True between two samples or on one.
        bool inside = false;
    };
    /// Value at a size; beyond the ends the last value holds. Requires: not empty.
    Value at(Bytes bytes) const;
    /// Like at(), on a straight line between two samples: times follow a + b m, ratios do not.
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
