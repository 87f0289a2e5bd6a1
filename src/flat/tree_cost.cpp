// SPDX-License-Identifier: Apache-2.0
#include "flat/tree_cost.hpp"

#include "core/blocks.hpp"
#include "core/ranks.hpp"
#include "flat/trees.hpp"

#include <algorithm>
#include <map>

namespace echelon {

TreeRounds star_rounds(int p) {
    const double others = p - 1;
    return {others, others, std::min(others, 1.0), std::min(others, 1.0)};
}

TreeRounds chain_rounds(int p) {
    const double others = p - 1;
    return {others, std::min(others, 1.0), others, others};
}

/// A rank's last child costs it two messages, its other child one. A path of j last children is the longest
/// one as soon as it exists, at p + 1 = 2^(j+1). Half a level later, at 3 * 2^j, it is one step longer, to a
/// first child. The two combinations of a rank's operands follow one another, but the first hides behind the
/// second message. One combination is exposed in each level whose left subtree is as late as the right one,
/// the first of them at p + 1 = 5 * 2^(d-2).
TreeRounds binary_rounds(int p) {
    const int levels = floor_log2(p + 1);
    const int half_full = p + 1 >= 3 << (levels - 1) ? 1 : 0;
    int exposed = std::min(p - 1, 1);
    while (exposed > 0 && p + 1 >= 5 << (exposed - 1)) ++exposed;
    return {2.0 * (levels - 1) + half_full, double(std::min(p - 1, 2)), double(exposed),
            double(floor_log2(p))};
}

/// In each level the children are ready together with their parent: no combination hides behind the first
/// child's message, but combinations hide behind the others'. In the last level the first child may be
/// smaller, and ready earlier.
TreeRounds knomial_rounds(int p, int radix) {
    long long stride = 1;
    int levels = 0;
    long long deepest = 1;  // least rank of levels + 1 digits without a 0
    for (; stride * radix < p; stride *= radix, deepest += stride) ++levels;
    const long long largest = std::min(stride, p - stride);  // subtree of the last level
    const bool is_late = radix == 2 ? largest == stride : largest * radix > (radix - 1) * stride;
    const double messages = double(levels) * (radix - 1) + double((p - 1) / stride);
    return {messages, messages, double(levels + (is_late ? 1 : 0)), double(levels + (deepest < p ? 1 : 0))};
}

/// The root's children follow each other; the combination of a rank's last child is exposed.
TreeRounds postal_rounds(int p, int lag) {
    const PostalTree tree(p, lag);
    std::map<int, TreeRounds> known;  // by number of ranks
    const auto rounds = [&](const auto& self, int n) -> TreeRounds {
        if (const auto found = known.find(n); found != known.end()) return found->second;
        TreeRounds all;
        for (int left = n; left > 1;) {
            const int run = tree.first_run(left);
            const TreeRounds below = self(self, run);
            all.each += 1;
            all.fill = std::max(all.fill, all.each + below.fill);
            all.depth = std::max(all.depth, 1 + below.depth);
            left -= run;
        }
        all.exposed = all.depth;
        return known[n] = all;
    };
    return rounds(rounds, p);
}

namespace {

struct Messages {
    double number, bytes, first;  // `first`: bytes of the first segment
};

Messages messages_of(const TreeRounds& rounds, const Problem& problem) {
    const Segments segments({0, problem.bytes}, problem.segment);
    const double first = double(segments.longest());
    return {rounds.fill + double(segments.size() - 1) * rounds.each,
            rounds.fill * first + (double(problem.bytes) - first) * rounds.each, first};
}

}  // namespace

Cost tree_reduce_cost(const TreeRounds& rounds, const Problem& problem) {
    const Messages all = messages_of(rounds, problem);
    const double exposed = rounds.exposed * all.first;
    return Cost{all.number, all.bytes, exposed, all.number - rounds.exposed, all.bytes - exposed}
        .with_latencies(rounds.depth);
}

Cost tree_bcast_cost(const TreeRounds& rounds, const Problem& problem) {
    const Messages all = messages_of(rounds, problem);
    return Cost{all.number, all.bytes, 0}.with_latencies(rounds.depth);
}

}  // namespace echelon
