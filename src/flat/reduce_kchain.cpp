// SPDX-License-Identifier: Apache-2.0
#include "flat/reduce.hpp"
#include "flat/tree_cost.hpp"
#include "flat/tree_reduce.hpp"

namespace echelon {
namespace {

/// The root and k chains of consecutive ranks behind it. The shorter chains, which are ready earlier, come
/// first.
///
///   p = 8, k = 3:     0
///                  1  3  6
///                  2  4  7
///                     5
class ChainsTree {
public:
    ChainsTree(int p, int chains) : p_(p), chains_(std::min(std::max(chains, 1), p - 1)) {}
    int root() const { return 0; }
    int parent(int rank) const { return rank == first(chain_of(rank)) ? 0 : rank - 1; }
    int children(int rank) const {
        if (rank == 0) return chains_;
        return rank + 1 < first(chain_of(rank) + 1) ? 1 : 0;
    }
    Child child(int rank, int i) const { return {rank == 0 ? first(i) : rank + 1, Side::after}; }

private:
    int length() const { return (p_ - 1) / chains_; }  // ranks in a shorter chain
    int shorter() const { return chains_ - (p_ - 1) % chains_; }
    int first(int chain) const { return 1 + chain * length() + std::max(chain - shorter(), 0); }
    int chain_of(int rank) const {
        const int behind = rank - 1 - shorter() * length();
        return behind < 0 ? (rank - 1) / length() : shorter() + behind / (length() + 1);
    }

    int p_;
    int chains_;
};

}  // namespace

/// k-chain: the ranks behind the root form k chains, and the root combines their results. It takes fewer
/// steps than one chain, but the root receives k times as much.
///
/// Cost for X segments of m_s bytes: ((p - 1)/k - 1 + kX) messages of m_s bytes.  Needs: nothing.
/// Source: Pjesivac-Grbovic et al. 2005.
void reduce_kchain(Link& link, const Args& args) {
    reduce_on_tree_to_root(link, args, [&](int p) { return ChainsTree(p, args.radix); });
}

Cost reduce_kchain_cost(const Problem& problem) {
    const int others = problem.p - 1, chains = std::min(std::max(problem.radix, 1), others);
    if (chains == 0) return {};
    // A single shorter chain occupies the root just until the longer ones are ready: one more combination is
    // exposed.
    const int length = others / chains, longer = others % chains;
    const double exposed = length + (longer > 0 && longer == chains - 1 ? 1 : 0);
    return tree_reduce_cost(
        {double(length - 1 + chains), double(chains), exposed, double(length + (longer > 0 ? 1 : 0))},
        problem);
}

}  // namespace echelon
