// SPDX-License-Identifier: Apache-2.0
#include "estimators/network/table.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {
namespace {

double on_line(const Table::Point& a, const Table::Point& b, double x) {
    return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
}

}  // namespace

Table::Table(std::vector<Point> points) : points_(std::move(points)) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (!std::isfinite(points_[i].x) || !std::isfinite(points_[i].y))
            throw Error("a table of parameters holds a value that is no finite number");
        if (i > 0 && !(points_[i - 1].x < points_[i].x))
            throw Error("the points of a table of parameters must ascend, and no two may be equal");
    }
}

double Table::extended(double x) const {
    if (points_.empty()) return 0;
    if (points_.size() == 1 || x <= points_.front().x) return points_.front().y;
    const auto after = std::upper_bound(points_.begin(), points_.end(), x,
                                        [](double value, const Point& point) { return value < point.x; });
    const auto to = after == points_.end() ? after - 1 : after;
    return on_line(*(to - 1), *to, x);
}

double Table::at(double x) const { return points_.empty() ? 0 : extended(std::min(x, points_.back().x)); }

Table Table::times(double factor) const {
    Table made = *this;
    for (Point& point : made.points_) point.y *= factor;
    return made;
}

}  // namespace echelon
