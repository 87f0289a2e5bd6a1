// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace echelon {

/// 97.5 % of Student's distribution of so many degrees of freedom, one at least, lies below: within 0.2 %. From three on by the
/// expansion about the normal distribution (Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.7.5). Not Boost.Math's,
/// which brings streams that are destroyed at exit into every program.
inline double student_quantile(double freedom) {
    constexpr double of_one = 12.706205, of_two = 4.302653;
    if (freedom < 2) return of_one;
    if (freedom < 3) return of_two;
    constexpr double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, z9 = z7 * z * z;
    const double n = 1 / freedom;
    return z + n * ((z3 + z) / 4 +
                    n * ((5 * z5 + 16 * z3 + 3 * z) / 96 +
                         n * ((3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384 +
                              n * (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / 92160)));
}

}  // namespace echelon
