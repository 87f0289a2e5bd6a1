// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ranks.hpp"
#include "core/slice.hpp"

#include <algorithm>

namespace echelon {

// Trees over ranks 0 .. p-1. Each has root(), parent(rank) for ranks other than the root, children(rank), the
// number of children, and child(rank, i). Children are ordered like their operands are combined: by ascending
// size of their subtrees, if there is a choice. Broadcasts visit them backwards.

struct Child {
    int rank;
    /// Side of the child's operands, relative to the operands that have been combined.
    Side side;
    friend bool operator==(const Child&, const Child&) = default;
};

/// Ranks first .. end - 1.
struct RankRun {
    int first, end;
    int length() const { return end - first; }
    int middle() const { return first + length() / 2; }
    bool has(int rank) const { return first <= rank && rank < end; }
    friend bool operator==(const RankRun&, const RankRun&) = default;
};

/// All other ranks are children of the root. The tree keeps rank order for any root.
class StarTree {
public:
    StarTree(int p, int root) : p_(p), root_(root) {}
    int root() const { return root_; }
    int parent(int) const { return root_; }
    int children(int rank) const { return rank == root_ ? p_ - 1 : 0; }
    Child child(int, int i) const {
        return i < root_ ? Child{root_ - 1 - i, Side::before} : Child{i + 1, Side::after};
    }

private:
    int p_;
    int root_;
};

/// The tree of a heap in the array 0 .. p-1: the children of v are arity * v + 1 and the ranks after it.
/// Arity 1 is a chain, which keeps rank order.
///
///   arity 2:        0
///                1     2
///               3 4   5
class HeapTree {
public:
    HeapTree(int p, int arity) : p_(p), arity_(arity) {}
    int root() const { return 0; }
    int parent(int rank) const { return (rank - 1) / arity_; }
    int children(int rank) const { return int(std::clamp<long long>(p_ - first_child(rank), 0, arity_)); }
    Child child(int rank, int i) const {
        return {int(first_child(rank)) + children(rank) - 1 - i, Side::after};
    }

private:
    long long first_child(int rank) const { return (long long)(rank)*arity_ + 1; }

    int p_;
    int arity_;
};

/// The children of v are v + i * radix^j, i = 1 .. radix-1, for all j below v's lowest digit that is not 0 in
/// base `radix`: binomial for radix 2. A subtree is a run of ranks that begins with its root: the tree keeps
/// rank order.
///
///   radix 2, p = 6:     0
///                    1  2  4
///                       3  5
class KnomialTree {
public:
    KnomialTree(int p, int radix) : p_(p), radix_(radix) {}
    int root() const { return 0; }
    /// Number of children with equally deep subtrees.
    std::size_t in_a_round() const { return std::size_t(radix_ - 1); }
    int parent(int rank) const { return int(rank - rank % (reach(rank) * radix_)); }
    int children(int rank) const {
        int number = 0;
        for (long long stride = 1; stride < reach(rank); stride *= radix_) number += at(rank, stride);
        return number;
    }
    Child child(int rank, int i) const {
        long long stride = 1;
        for (int here = at(rank, stride); i >= here; here = at(rank, stride)) {
            i -= here;
            stride *= radix_;
        }
        return {int(rank + (i + 1) * stride), Side::after};
    }
    /// The ranks of the subtree.
    RankRun run(int rank) const { return {rank, int(std::min<long long>(rank + reach(rank), p_))}; }

private:
    /// Ranks in the subtree if p were a power of the radix.
    long long reach(int rank) const {
        long long stride = 1;
        while (rank % (stride * radix_) == 0 && stride < p_) stride *= radix_;
        return stride;
    }
    /// Number of children that are 1, 2, .. strides away.
    int at(int rank, long long stride) const {
        return int(std::min<long long>((p_ - 1 - rank) / stride, radix_ - 1));
    }

    int p_;
    int radix_;
};

/// A binary tree in rank order: a subtree is a run of ranks, a rank stands between the runs of its children,
/// and all runs are halved as evenly as possible. A root that is the first or last rank has two runs on the
/// same side.
///
///   p = 7, root 3:      3           root 0:    0
///                    1     5                 2   5
///                   0 2   4 6               1 3 4 6
class InOrderBinaryTree {
public:
    InOrderBinaryTree(int p, int root) : p_(p), root_(root) {}
    int root() const { return root_; }
    int parent(int rank) const { return find(rank).parent; }
    int children(int rank) const {
        const Node node = find(rank);
        return int(node.near.length() > 0) + int(node.far.length() > 0);
    }
    Child child(int rank, int i) const {
        const Node node = find(rank);
        const RankRun& run = i == 0 && node.near.length() > 0 ? node.near : node.far;
        return {run.middle(), run.first < rank ? Side::before : Side::after};
    }

private:
    /// A rank and the runs of ranks below it; the near run is combined first.
    struct Node {
        int rank, parent;
        RankRun near, far;
    };

    Node top() const {
        const RankRun before{0, root_}, after{root_ + 1, p_};
        if (before.length() > 0 && after.length() > 0) return split(root_, root_, before, after);
        const RankRun all = after.length() > 0 ? after : before;
        const int cut = all.first + all.length() / 2;
        const RankRun low{all.first, cut}, high{cut, all.end};
        return all.first > root_ ? Node{root_, root_, low, high} : Node{root_, root_, high, low};
    }
    /// Either order keeps the rank order. The shorter run, which is ready first, goes first.
    static Node split(int rank, int parent, const RankRun& before, const RankRun& after) {
        return before.length() <= after.length() ? Node{rank, parent, before, after}
                                                 : Node{rank, parent, after, before};
    }
    Node find(int rank) const {
        Node node = top();
        while (node.rank != rank) {
            const RankRun run = node.near.has(rank) ? node.near : node.far;
            node = split(run.middle(), node.rank, {run.first, run.middle()}, {run.middle() + 1, run.end});
        }
        return node;
    }

    int p_;
    int root_;
};

/// A tree in rank order for any root. The ranks from the root on form one tree. The ranks before the root
/// form another, with a root that is one more child.
///
///   binomial, p = 7, root 3:      3
///                             4   5   0
///                                 6  1 2
template <class Tree>
class OrderedAtRoot {
public:
    /// `before` over the ranks [0, root), `after` over [root, p).
    OrderedAtRoot(Tree before, Tree after, int root) : before_(before), after_(after), root_(root) {}
    int root() const { return root_; }
    int parent(int rank) const {
        if (rank > root_) return root_ + after_.parent(rank - root_);
        return rank == 0 ? root_ : before_.parent(rank);
    }
    int children(int rank) const {
        if (rank < root_) return before_.children(rank);
        return after_.children(rank - root_) + int(rank == root_ && root_ > 0);
    }
    Child child(int rank, int i) const {
        if (rank < root_) return before_.child(rank, i);
        if (i == after_.children(rank - root_)) return {0, Side::before};
        const Child child = after_.child(rank - root_, i);
        return {root_ + child.rank, child.side};
    }

private:
    Tree before_, after_;
    int root_;
};

}  // namespace echelon
