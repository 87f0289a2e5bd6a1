// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cg/field.hpp"

#include <cmath>

namespace cg {

struct Limits {
    /// Bound of the residual, relative to that of x = 0.
    double tolerance = 1e-8;
    int iterations = 1000;
};

struct Solved {
    bool converged = false;
    int iterations = 0;
    /// Residual of the recurrence, relative to that of x = 0.
    double residual = 1;
};

// The solvers use these members of a `System`:
//     apply(in, out)         out = A in, with the ghosts of `in` fetched
//     sum(values, count)     adds these numbers over all ranks, in place
//     start_sum(values, count), finish_sum()   the same, with work between them
//     compute(flops, work)   runs local work
//     progress(iteration, residual)

/// Conjugate gradients (Hestenes and Stiefel 1952) from x = 0: two sums of one number in each iteration.
template <class System>
Solved solve(System& system, const Field& b, Field& x, const Limits& limits) {
    const double n = double(points(b.extents()));
    Field r = b, p = b, ap(b.extents());
    double rr = 0;
    system.compute(2 * n, [&] { rr = dot(r, r); });
    system.sum(&rr, 1);
    const double first = rr;
    Solved solved{.converged = first == 0};
    while (!solved.converged && solved.iterations < limits.iterations) {
        system.apply(p, ap);
        double pap = 0;
        system.compute(2 * n, [&] { pap = dot(p, ap); });
        system.sum(&pap, 1);
        double next = 0;
        system.compute(8 * n, [&] {
            combine(rr / pap, p, 1, x);
            combine(-rr / pap, ap, 1, r);
            next = dot(r, r);
        });
        system.sum(&next, 1);
        system.compute(2 * n, [&] { combine(1, r, next / rr, p); });
        rr = next;
        solved.residual = std::sqrt(rr / first);
        solved.converged = solved.residual <= limits.tolerance;
        system.progress(++solved.iterations, solved.residual);
    }
    return solved;
}

/// Conjugate gradients with one sum of two numbers in each iteration (Chronopoulos and Gear 1989): another
/// recurrence for (p, Ap) lets both dot products be formed at the same place.
template <class System>
Solved solve_fused(System& system, const Field& b, Field& x, const Limits& limits) {
    const double n = double(points(b.extents()));
    Field r = b, w(b.extents()), p(b.extents()), s(b.extents());
    double sums[2] = {};  // (r, r) and (w, r)
    const auto both = [&] {
        system.apply(r, w);
        system.compute(4 * n, [&] {
            sums[0] = dot(r, r);
            sums[1] = dot(w, r);
        });
        system.sum(sums, 2);
    };
    both();
    const double first = sums[0];
    double alpha = sums[0] / sums[1], beta = 0;
    Solved solved{.converged = first == 0};
    while (!solved.converged && solved.iterations < limits.iterations) {
        const double rr = sums[0];
        system.compute(12 * n, [&] {
            combine(1, r, beta, p);
            combine(1, w, beta, s);
            combine(alpha, p, 1, x);
            combine(-alpha, s, 1, r);
        });
        both();
        beta = sums[0] / rr;
        alpha = sums[0] / (sums[1] - beta * sums[0] / alpha);
        solved.residual = std::sqrt(sums[0] / first);
        solved.converged = solved.residual <= limits.tolerance;
        system.progress(++solved.iterations, solved.residual);
    }
    return solved;
}

/// Conjugate gradients with the sum of an iteration under way while its product with A is computed (Ghysels
/// and Vanroose 2014, algorithm 4). One product more than solve_fused(), and two recurrences.
template <class System>
Solved solve_pipelined(System& system, const Field& b, Field& x, const Limits& limits) {
    const double n = double(points(b.extents()));
    Field r = b, w(b.extents()), q(b.extents()), p(b.extents()), s(b.extents()), z(b.extents());
    double sums[2] = {}, first = 0, last = 0, alpha = 0;  // sums: (r, r) and (w, r)
    system.apply(r, w);
    Solved solved;
    for (bool begins = true;; begins = false) {
        system.compute(4 * n, [&] {
            sums[0] = dot(r, r);
            sums[1] = dot(w, r);
        });
        system.start_sum(sums, 2);
        system.apply(w, q);
        system.finish_sum();
        if (begins) {
            first = sums[0];
            solved.converged = first == 0;
        } else {
            solved.residual = std::sqrt(sums[0] / first);
            solved.converged = solved.residual <= limits.tolerance;
            system.progress(++solved.iterations, solved.residual);
        }
        if (solved.converged || solved.iterations >= limits.iterations) return solved;
        const double beta = begins ? 0 : sums[0] / last;
        alpha = begins ? sums[0] / sums[1] : sums[0] / (sums[1] - beta * sums[0] / alpha);
        last = sums[0];
        system.compute(18 * n, [&] {
            combine(1, q, beta, z);
            combine(1, w, beta, s);
            combine(1, r, beta, p);
            combine(alpha, p, 1, x);
            combine(-alpha, s, 1, r);
            combine(-alpha, z, 1, w);
        });
    }
}

}  // namespace cg
