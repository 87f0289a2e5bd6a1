// SPDX-License-Identifier: Apache-2.0
#include "core/ranks.hpp"
#include "flat/allreduce.hpp"
#include "flat/butterfly.hpp"
#include "flat/halving.hpp"

#include <algorithm>
#include <vector>

namespace echelon {
namespace {

/// One step of the halving for one rank: with one other rank, or with two, of which one leaves.
struct Halving {
    enum class Role { lower, upper, leaves };
    Role role;
    /// The ranks that keep the lower and the upper half; the rank that leaves, in a triple.
    int lower_rank, upper_rank, leaving_rank;
    bool is_triple;
    PartRange lower, upper;
};

/// The steps of a rank until it is alone with its part or leaves.
///
/// The ranks that still share a range of the vector halve it in pairs; if their number is odd, three of them
/// turn into two. Triples take two messages. Their ranks come first in the list of the next step, and the
/// next triple is taken from its end: a rank is seldom in two of them.
std::vector<Halving> halvings(int p, int rank) {
    std::vector<Halving> steps;
    std::vector<int> sharing;
    for (int r = 0; r < p; ++r) sharing.push_back(r);
    PartRange range{0, 1 << floor_log2(p)};
    while (sharing.size() > 1) {
        std::vector<int> lower, upper;
        Halving step{};
        step.lower = {range.first, range.count / 2};
        step.upper = {range.first + range.count / 2, range.count / 2};
        const auto join = [&](int a, int b, int leaving, bool is_triple) {
            lower.push_back(a);
            upper.push_back(b);
            if (rank != a && rank != b && !(is_triple && rank == leaving)) return;
            step.role = rank == a   ? Halving::Role::lower
                        : rank == b ? Halving::Role::upper
                                    : Halving::Role::leaves;
            step.lower_rank = a;
            step.upper_rank = b;
            step.leaving_rank = leaving;
            step.is_triple = is_triple;
        };
        const std::size_t n = sharing.size();
        if (n % 2 == 1) join(sharing[n - 3], sharing[n - 2], sharing[n - 1], true);
        for (std::size_t i = 0; i + 1 < n - n % 2 * 3; i += 2) join(sharing[i], sharing[i + 1], 0, false);
        steps.push_back(step);
        if (step.role == Halving::Role::leaves) break;
        const bool low = step.role == Halving::Role::lower;
        range = low ? step.lower : step.upper;
        sharing = low ? lower : upper;
    }
    return steps;
}

void reduce_halves(Link& link, const Halving& step, Slice lower, Slice upper) {
    switch (step.role) {
        case Halving::Role::lower:
            if (!step.is_triple)
                return link.exchange_reduce(step.upper_rank, upper, step.upper_rank, lower, Side::after);
            link.exchange_reduce(step.upper_rank, upper, step.leaving_rank, lower, Side::after);
            return link.receive_reduce(step.upper_rank, lower, Side::after);
        case Halving::Role::upper:
            if (!step.is_triple)
                return link.exchange_reduce(step.lower_rank, lower, step.lower_rank, upper, Side::before);
            link.receive_reduce(step.lower_rank, upper, Side::before);
            return link.exchange_reduce(step.lower_rank, lower, step.leaving_rank, upper, Side::after);
        case Halving::Role::leaves:
            link.send(step.lower_rank, lower);
            return link.send(step.upper_rank, upper);
    }
}

void gather_halves(Link& link, const Halving& step, Slice lower, Slice upper) {
    switch (step.role) {
        case Halving::Role::lower:
            if (!step.is_triple) return link.exchange(step.upper_rank, lower, step.upper_rank, upper);
            link.send(step.upper_rank, lower);
            return link.exchange(step.leaving_rank, lower, step.upper_rank, upper);
        case Halving::Role::upper:
            if (!step.is_triple) return link.exchange(step.lower_rank, upper, step.lower_rank, lower);
            link.exchange(step.leaving_rank, upper, step.lower_rank, lower);
            return link.send(step.lower_rank, upper);
        case Halving::Role::leaves:
            link.receive(step.upper_rank, upper);
            return link.receive(step.lower_rank, lower);
    }
}

}  // namespace

/// 3-2 elimination for long vectors: halving and doubling for any p without a step before or after. If an odd
/// number of ranks share a part of the vector, three of them halve it in two steps and one leaves. The rank
/// that leaves gets the result in the doubling, by the reverse steps.
///
///   p = 3             rank 0                     rank 1                     rank 2
///   halving, step 0   sends B to 1, gets A:2     gets B:0                   sends A to 0
///            step 1   gets A:1, has A:012        sends A, gets B:2, has B   sends B to 1, leaves
///
/// Cost: at most (2q + 2) alpha + 3 n beta + 3/2 n gamma with q = ceil(log2 p); for a power of two, the cost
/// of halving and doubling.  Needs: a commutative operation.
void allreduce_elimination_long(Link& link, const Args& args) {
    const Blocks parts(args.data, 1 << floor_log2(link.size()));
    const auto slice = [&](PartRange range) { return parts.range(range.first, range.end()); };
    const std::vector<Halving> steps = halvings(link.size(), link.rank());
    for (const Halving& step : steps) reduce_halves(link, step, slice(step.lower), slice(step.upper));
    std::for_each(steps.rbegin(), steps.rend(), [&](const Halving& step) {
        gather_halves(link, step, slice(step.lower), slice(step.upper));
    });
}

Cost allreduce_elimination_long_cost(const Problem& problem) {
    const double n = double(problem.bytes), q = ceil_log2(problem.p);
    Cost cost;
    double part = n / 2;
    for (int sharing = problem.p; sharing > 1; sharing /= 2, part /= 2) {
        const double messages = sharing % 2 == 0 ? 1 : 2;
        cost = cost + messages * Cost{2, 2 * part, part};
    }
    return Cost{std::min(cost.steps, 2 * q + 2), std::min(cost.volume, 3 * n),
                std::min(cost.reductions, 1.5 * n)}
        .with_latencies(2 * q);
}

}  // namespace echelon
