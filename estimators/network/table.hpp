// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace echelon {

/// A function of one variable, given at points and linear between them.
class Table {
public:
    struct Point {
        double x, y;
        friend bool operator==(const Point&, const Point&) = default;
    };

    Table() = default;
    /// Throws Error unless the points ascend in x and all numbers are finite.
    Table(std::vector<Point> points);
    /// The same value everywhere.
    static Table constant(double y) { return Table({{0, y}}); }

    const std::vector<Point>& points() const { return points_; }

    /// Value at x: constant before the first point; after the last point the last line continues. 0 for an
    /// empty table.
    double extended(double x) const;
    /// The value at x, constant before the first point and after the last one. 0 for an empty table.
    double at(double x) const;
    /// The table with all values multiplied.
    Table times(double factor) const;

    friend bool operator==(const Table&, const Table&) = default;

private:
    std::vector<Point> points_;
};

}  // namespace echelon
