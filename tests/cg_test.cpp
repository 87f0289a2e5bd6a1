// SPDX-License-Identifier: Apache-2.0
/// The solvers of the example application cg, on one process.
#include "apps/cg/poisson.hpp"
#include "apps/cg/solve.hpp"

#include <gtest/gtest.h>

namespace cg {
namespace {

struct Alone {
    static void apply(const Field& in, Field& out) { apply_stencil(in, out); }
    void sum(double*, int count) { summed.push_back(count); }
    void start_sum(double* values, int count) { sum(values, count); }
    static void finish_sum() {}
    template <class Work>
    static void compute(double, Work&& work) {
        work();
    }
    void progress(int, double residual) { residuals.push_back(residual); }
    std::vector<int> summed;
    std::vector<double> residuals;
};

Box everything(const Poisson& poisson) { return {poisson.extents, {1, 1, 1}, {0, 0, 0}}; }
Field right_side(const Poisson& poisson, const Box& box) {
    return field_of(box, [&](auto... at) { return poisson.right_side(at...); });
}
Field solution(const Poisson& poisson, const Box& box) {
    return field_of(box, [&](auto... at) { return poisson.solution(at...); });
}

TEST(Stencil, gives_the_right_side_of_the_known_solution) {
    const Poisson poisson{{5, 7, 3}, 11};
    const Box box = everything(poisson);
    Field rest(poisson.extents);
    apply_stencil(solution(poisson, box), rest);
    combine(-1, right_side(poisson, box), 1, rest);
    EXPECT_LT(dot(rest, rest), 1e-28);
}

TEST(Stencil, takes_ghosts_from_the_neighbours) {
    const Poisson poisson{{5, 7, 4}, 11};
    const Box middle(poisson.extents, {2, 3, 2}, {1, 1, 0});
    EXPECT_EQ(middle.extents(), (Triple{2, 2, 2}));
    Field known(middle.extents());
    for (std::size_t x = 0; x <= 3; ++x)
        for (std::size_t y = 0; y <= 3; ++y)
            for (std::size_t z = 0; z <= 3; ++z)
                known.at(x, y, z) = poisson.solution(middle.shares[0].begin + x, middle.shares[1].begin + y,
                                                     middle.shares[2].begin + z);
    Field rest(middle.extents());
    apply_stencil(known, rest);
    combine(-1, right_side(poisson, middle), 1, rest);
    EXPECT_LT(dot(rest, rest), 1e-28);
}

TEST(Boxes, fill_the_grid) {
    const Triple whole{5, 7, 4};
    std::size_t sum = 0;
    for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 2; ++y) sum += points(Box(whole, {3, 2, 1}, {x, y, 0}).extents());
    EXPECT_EQ(sum, points(whole));
}

TEST(Solvers, find_the_solution_within_the_bound) {
    for (const Triple extents : {Triple{1, 1, 1}, Triple{9, 4, 6}, Triple{16, 16, 16}})
        for (const auto& [solver, sums, numbers] :
             {std::tuple(&solve<Alone>, 2, 1), std::tuple(&solve_fused<Alone>, 1, 2),
              std::tuple(&solve_pipelined<Alone>, 1, 2)}) {
            const Poisson poisson{extents, 3};
            const Field b = right_side(poisson, everything(poisson));
            Field x(extents), error = solution(poisson, everything(poisson));
            const double known = dot(error, error);
            Alone alone;
            const Solved solved = solver(alone, b, x, Limits());
            EXPECT_TRUE(solved.converged);
            EXPECT_LE(solved.residual, 1e-8);
            combine(-1, x, 1, error);
            EXPECT_LE(std::sqrt(dot(error, error) / known), poisson.condition() * 1.01e-8);
            EXPECT_EQ(alone.residuals.size(), std::size_t(solved.iterations));
            // One initial sum, and in each iteration one sum of two numbers or two sums of one number.
            EXPECT_EQ(alone.summed, std::vector<int>(std::size_t(solved.iterations * sums + 1), numbers));
        }
}

TEST(Solvers, say_if_they_stopped_before) {
    const Poisson poisson{{9, 4, 6}, 3};
    const Field b = right_side(poisson, everything(poisson));
    Field x(poisson.extents), y(poisson.extents), z(poisson.extents);
    Alone alone;
    EXPECT_FALSE(solve(alone, b, x, {.iterations = 3}).converged);
    EXPECT_FALSE(solve_fused(alone, b, y, {.iterations = 3}).converged);
    EXPECT_FALSE(solve_pipelined(alone, b, z, {.iterations = 3}).converged);
    for (Field* const other : {&y, &z}) {
        combine(-1, x, 1, *other);
        EXPECT_LT(std::sqrt(dot(*other, *other) / dot(x, x)), 1e-12) << "the same in exact arithmetic";
    }
}

TEST(Condition, is_that_of_the_smallest_grids) {
    EXPECT_NEAR((Poisson{{1, 1, 1}, 0}.condition()), 1, 1e-12);
    EXPECT_NEAR((Poisson{{2, 1, 1}, 0}.condition()), 7.0 / 5, 1e-12);  // 6 - 1 and 6 + 1
}

}  // namespace
}  // namespace cg
