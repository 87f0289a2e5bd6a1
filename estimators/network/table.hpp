// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace echelon {

/// A function of one variable given at points: straight lines between them.
class Table {
public:
    struct Point {
        double x, y;
        friend bool operator==(const Point&, const Point&) = default;
    };

    Table() = default;
    /// Throws Error unless the points' x are ascending and all numbers are finite.
    Table(std::vector<Point> points);

    const std::vector<Point>& points() const { return points_; }

    /// Constant before the first point; after the last one the last line goes on. 0 for an empty table.
    double extended(double x) const;

    friend bool operator==(const Table&, const Table&) = default;

private:
    std::vector<Point> points_;
};

}  // namespace echelon
