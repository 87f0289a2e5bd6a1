// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cg/field.hpp"
#include "apps/common/parts.hpp"
#include "apps/common/random.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace cg {

/// -Laplace(u) = f on a box with u = 0 on its boundary, by the 7-point stencil scaled to 6 and -1.
struct Poisson {
    Triple extents;
    std::uint64_t seed;

    /// The solution at a point: a random number that every rank can compute. Coordinates count from 1; 0 and
    /// extent + 1 are the boundary.
    double solution(std::size_t x, std::size_t y, std::size_t z) const {
        const bool inside =
            x >= 1 && x <= extents[0] && y >= 1 && y <= extents[1] && z >= 1 && z <= extents[2];
        return inside ? examples::random_number(seed, (x * (extents[1] + 2) + y) * (extents[2] + 2) + z) : 0;
    }
    /// The right-hand side for this solution.
    double right_side(std::size_t x, std::size_t y, std::size_t z) const {
        return 6 * solution(x, y, z) - solution(x - 1, y, z) - solution(x + 1, y, z) - solution(x, y - 1, z) -
               solution(x, y + 1, z) - solution(x, y, z - 1) - solution(x, y, z + 1);
    }
    /// Largest over smallest eigenvalue: an error is at most this times the residual, both relative.
    double condition() const {
        double largest = 0, smallest = 0;
        for (const std::size_t n : extents) {
            const double angle = std::numbers::pi / (2 * (double(n) + 1));
            smallest += 4 * std::pow(std::sin(angle), 2);
            largest += 4 * std::pow(std::sin(double(n) * angle), 2);
        }
        return largest / smallest;
    }
};

/// The points of the whole grid that a rank owns.
struct Box {
    std::array<examples::Run, 3> shares;

    Box(const Triple& whole, const std::array<int, 3>& grid, const std::array<int, 3>& seat) {
        for (std::size_t d = 0; d < 3; ++d) shares[d] = examples::Parts(long(whole[d]), grid[d])[seat[d]];
    }
    Triple extents() const {
        return {std::size_t(shares[0].size()), std::size_t(shares[1].size()), std::size_t(shares[2].size())};
    }
};

/// The field of `value(x, y, z)` on one rank's box, in coordinates of the whole grid.
template <class Value>
Field field_of(const Box& box, Value&& value) {
    Field field(box.extents());
    for_rows(field, [&](std::size_t x, std::size_t y) {
        for (std::size_t z = 1; z <= field.extents()[2]; ++z)
            field.at(x, y, z) =
                value(box.shares[0].begin + x, box.shares[1].begin + y, box.shares[2].begin + z);
    });
    return field;
}

/// out = A in. Requires: the ghosts of `in` are up to date.
inline void apply_stencil(const Field& in, Field& out) {
    const std::size_t dx = in.x_step(), dy = in.y_step();
    for_rows(in, [&](std::size_t x, std::size_t y) {
        const double* u = in.row(x, y);
        double* to = out.row(x, y);
        for (std::size_t z = 0; z < in.extents()[2]; ++z)
            to[z] =
                6 * u[z] - *(u + z - dx) - u[z + dx] - *(u + z - dy) - u[z + dy] - *(u + z - 1) - u[z + 1];
    });
}

}  // namespace cg
