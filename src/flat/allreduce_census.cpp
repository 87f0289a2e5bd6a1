// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allreduce.hpp"

namespace echelon {
namespace {

/// Number of ranks, up to and including itself, that a rank has combined before round k: ceil(p / 2^(q - k))
/// for k = 0 .. q = ceil(log2 p). Every number is twice the one before, or one less than that.
int covered(int p, int k) {
    const int shift = ceil_log2(p) - k;
    return (p + (1 << shift) - 1) >> shift;
}

/// True if round k does not quite double.
bool falls_short(int p, int k) { return covered(p, k + 1) != 2 * covered(p, k); }

/// True if a round after k needs the combination without the rank's own vector.
bool needed_later(int p, int k) {
    for (int later = k + 1; later < ceil_log2(p); ++later)
        if (falls_short(p, later)) return true;
    return false;
}

}  // namespace

/// Census: the fewest rounds, ceil(log2 p), for any p. In each round a rank receives the combination of the
/// ranks in front of the ones that it covers. If that is one rank too many, the sender leaves itself out.
/// Every rank therefore keeps its combination with and without its own vector.
///
///   p = 5     rank 4 covers    gets
///   round 0   4                3
///   round 1   3 4              2              (from rank 3, which leaves itself out)
///   round 2   2 3 4            0 1            (from rank 2, which leaves itself out)
///
/// Cost: q (alpha + n beta) + q .. (2q - 2) n gamma with q = ceil(log2 p).  Needs: a commutative operation
/// with a result independent of brackets, because ranks use different ones.
/// Source: Bar-Noy, Kipnis, Schieber 1993.
void allreduce_census(Link& link, const Args& args) {
    const int p = link.size(), me = link.rank();
    Scratch scratch(link);
    Slice others = scratch(args.data.count), received = scratch(args.data.count);
    bool have_others = false;
    for (int k = 0; k < ceil_log2(p); ++k) {
        const bool leave_out = falls_short(p, k);
        const int distance = covered(p, k) - (leave_out ? 1 : 0);
        link.exchange(wrap(me + distance, p), leave_out ? others : args.data, wrap(me - distance, p),
                      received);
        link.reduce(args.data, received, Side::before);
        if (!needed_later(p, k)) continue;
        if (have_others)
            link.reduce(others, received, Side::before);
        else
            std::swap(others, received);
        have_others = true;
    }
}

Cost allreduce_census_cost(const Problem& problem) {
    const double n = double(problem.bytes);
    Cost cost;
    for (int k = 0; k < ceil_log2(problem.p); ++k)
        cost = cost + Cost{1, n, k > 0 && needed_later(problem.p, k) ? 2 * n : n};
    return cost;
}

}  // namespace echelon
