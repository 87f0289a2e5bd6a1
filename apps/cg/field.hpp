// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace cg {

/// Extents or coordinates in x, y and z.
using Triple = std::array<std::size_t, 3>;

constexpr std::size_t points(const Triple& extents) { return extents[0] * extents[1] * extents[2]; }

/// Values on a box of grid points with a layer of ghost points around it, at coordinates 0 and extent + 1; z
/// runs fastest. Ghosts begin as 0, which is the boundary's value.
class Field {
public:
    explicit Field(const Triple& extents)
        : extents_(extents), values_((extents[0] + 2) * (extents[1] + 2) * (extents[2] + 2)) {}

    const Triple& extents() const { return extents_; }
    double& at(std::size_t x, std::size_t y, std::size_t z) { return values_[place(x, y, z)]; }
    double at(std::size_t x, std::size_t y, std::size_t z) const { return values_[place(x, y, z)]; }
    /// The points (x, y, 1) to (x, y, extent).
    double* row(std::size_t x, std::size_t y) { return &values_[place(x, y, 1)]; }
    const double* row(std::size_t x, std::size_t y) const { return &values_[place(x, y, 1)]; }
    /// Distance in memory from a point to its neighbour in x and in y.
    std::size_t x_step() const { return (extents_[1] + 2) * y_step(); }
    std::size_t y_step() const { return extents_[2] + 2; }

private:
    std::size_t place(std::size_t x, std::size_t y, std::size_t z) const {
        return x * x_step() + y * y_step() + z;
    }

    Triple extents_;
    std::vector<double> values_;
};

/// Calls `each(x, y)` for every row of inner points.
template <class Each>
void for_rows(const Field& field, Each&& each) {
    for (std::size_t x = 1; x <= field.extents()[0]; ++x)
        for (std::size_t y = 1; y <= field.extents()[1]; ++y) each(x, y);
}

/// The sum of a(i) b(i) over the inner points.
inline double dot(const Field& a, const Field& b) {
    double sum = 0;
    for_rows(a, [&](std::size_t x, std::size_t y) {
        const double *one = a.row(x, y), *other = b.row(x, y);
        for (std::size_t z = 0; z < a.extents()[2]; ++z) sum += one[z] * other[z];
    });
    return sum;
}

/// y = a x + b y on the inner points.
inline void combine(double a, const Field& x, double b, Field& y) {
    for_rows(x, [&](std::size_t i, std::size_t j) {
        const double* from = x.row(i, j);
        double* to = y.row(i, j);
        for (std::size_t z = 0; z < x.extents()[2]; ++z) to[z] = a * from[z] + b * to[z];
    });
}

}  // namespace cg
