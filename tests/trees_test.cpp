// SPDX-License-Identifier: Apache-2.0
#include "flat/trees.hpp"

#include "flat/bine.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace echelon {
namespace {

template <class Tree>
std::vector<int> children(const Tree& tree, int rank) {
    std::vector<int> ranks;
    for (int i = 0; i < tree.children(rank); ++i) ranks.push_back(tree.child(rank, i).rank);
    return ranks;
}

/// The ranks of a subtree in the order in which their operands are combined.
template <class Tree>
std::vector<int> combined(const Tree& tree, int rank) {
    std::vector<int> all{rank};
    for (int i = 0; i < tree.children(rank); ++i) {
        const Child child = tree.child(rank, i);
        EXPECT_EQ(tree.parent(child.rank), rank);
        const std::vector<int> below = combined(tree, child.rank);
        all.insert(child.side == Side::before ? all.begin() : all.end(), below.begin(), below.end());
    }
    return all;
}

template <class Tree>
int depth(const Tree& tree, int rank) {
    int deepest = 0;
    for (const int child : children(tree, rank)) deepest = std::max(deepest, 1 + depth(tree, child));
    return deepest;
}

std::vector<int> ranks_up_to(int p) {
    std::vector<int> ranks;
    for (int rank = 0; rank < p; ++rank) ranks.push_back(rank);
    return ranks;
}

/// Checks that every rank is in the tree once.
template <class Tree>
void expect_whole(const Tree& tree, int p, bool in_order) {
    std::vector<int> order = combined(tree, tree.root());
    if (!in_order) std::sort(order.begin(), order.end());
    EXPECT_EQ(order, ranks_up_to(p)) << "p = " << p << ", root = " << tree.root();
}

using Ranks = std::vector<int>;

TEST(Trees, star_combines_outwards_from_the_root) {
    EXPECT_EQ(children(StarTree(5, 2), 2), (Ranks{1, 0, 3, 4}));
    EXPECT_EQ(children(StarTree(5, 2), 0), Ranks{});
    EXPECT_EQ(StarTree(5, 2).child(2, 1), (Child{0, Side::before}));
}

TEST(Trees, heap_serves_the_smaller_subtree_first) {
    const HeapTree heap(6, 2);
    EXPECT_EQ(children(heap, 0), (Ranks{2, 1}));
    EXPECT_EQ(children(heap, 1), (Ranks{4, 3}));
    EXPECT_EQ(children(heap, 2), Ranks{5});
    EXPECT_EQ(children(heap, 3), Ranks{});
    EXPECT_EQ(heap.parent(5), 2);
}

TEST(Trees, chain_is_a_heap_of_single_children) {
    EXPECT_EQ(combined(HeapTree(4, 1), 0), (Ranks{0, 1, 2, 3}));
    EXPECT_EQ(depth(HeapTree(4, 1), 0), 3);
}

TEST(Trees, binomial_doubles_the_distance) {
    const KnomialTree binomial(6, 2);
    EXPECT_EQ(children(binomial, 0), (Ranks{1, 2, 4}));
    EXPECT_EQ(children(binomial, 2), Ranks{3});
    EXPECT_EQ(children(binomial, 4), Ranks{5});
    EXPECT_EQ(binomial.parent(5), 4);
    EXPECT_EQ(binomial.run(0).end, 6);
    EXPECT_EQ(binomial.run(2).end, 4);
    EXPECT_EQ(binomial.run(4).end, 6);
}

TEST(Trees, trinomial_has_two_children_in_a_level) {
    const KnomialTree tree(17, 3);
    EXPECT_EQ(children(tree, 0), (Ranks{1, 2, 3, 6, 9}));
    EXPECT_EQ(children(tree, 9), (Ranks{10, 11, 12, 15}));
    EXPECT_EQ(tree.parent(15), 9);
    EXPECT_EQ(tree.parent(16), 15);
    EXPECT_EQ(tree.run(9).end, 17);
}

TEST(Trees, of_a_large_radix_are_stars) {
    EXPECT_EQ(children(KnomialTree(5, 1000), 0), (Ranks{1, 2, 3, 4}));
    EXPECT_EQ(KnomialTree(2000000000, 2000000000).parent(1999999999), 0);
    EXPECT_EQ(KnomialTree(2000000000, 2).run(1073741824).end, 2000000000);
}

TEST(Trees, in_order_binary_stands_between_its_children) {
    const InOrderBinaryTree middle(7, 3);
    EXPECT_EQ(middle.child(3, 0), (Child{1, Side::before}));
    EXPECT_EQ(middle.child(3, 1), (Child{5, Side::after}));
    EXPECT_EQ(children(middle, 5), (Ranks{4, 6}));

    const InOrderBinaryTree first(7, 0);
    EXPECT_EQ(first.child(0, 0), (Child{2, Side::after}));
    EXPECT_EQ(first.child(0, 1), (Child{5, Side::after}));
    const InOrderBinaryTree last(7, 6);
    EXPECT_EQ(last.child(6, 0), (Child{4, Side::before}));
    EXPECT_EQ(last.child(6, 1), (Child{1, Side::before}));
}

TEST(Trees, in_order_binary_is_as_deep_as_the_heap_or_one_level_more) {
    for (int p = 1; p <= 40; ++p) {
        EXPECT_EQ(depth(InOrderBinaryTree(p, 0), 0), floor_log2(p));
        for (int root = 0; root < p; ++root)
            EXPECT_LE(depth(InOrderBinaryTree(p, root), root), floor_log2(p) + 1) << p << ' ' << root;
    }
}

TEST(Trees, planted_at_a_root_have_the_ranks_before_it_as_one_more_child) {
    const OrderedAtRoot tree(KnomialTree(3, 2), KnomialTree(4, 2), 3);
    EXPECT_EQ(children(tree, 3), (Ranks{4, 5, 0}));
    EXPECT_EQ(tree.child(3, 2), (Child{0, Side::before}));
    EXPECT_EQ(children(tree, 0), (Ranks{1, 2}));
    EXPECT_EQ(tree.parent(0), 3);
}

TEST(Trees, hold_every_rank_once_and_in_order_where_promised) {
    for (int p = 1; p <= 40; ++p) {
        expect_whole(HeapTree(p, 1), p, true);
        expect_whole(HeapTree(p, 2), p, false);
        expect_whole(HeapTree(p, 5), p, false);
        for (const int radix : {2, 3, 4, 7, 50}) expect_whole(KnomialTree(p, radix), p, true);
        for (int root = 0; root < p; ++root) {
            expect_whole(StarTree(p, root), p, true);
            expect_whole(InOrderBinaryTree(p, root), p, true);
            expect_whole(BineTree(p, root), p, true);
            for (const int radix : {2, 3})
                expect_whole(OrderedAtRoot(KnomialTree(root, radix), KnomialTree(p - root, radix), root), p,
                             true);
            expect_whole(OrderedAtRoot(HeapTree(root, 1), HeapTree(p - root, 1), root), p, true);
        }
    }
}

TEST(Trees, subtrees_of_a_knomial_tree_are_runs) {
    for (int p = 1; p <= 40; ++p)
        for (const int radix : {2, 3, 4}) {
            const KnomialTree tree(p, radix);
            for (int rank = 0; rank < p; ++rank) {
                const std::vector<int> run = combined(tree, rank);
                EXPECT_EQ(run.front(), rank);
                EXPECT_EQ(run.back() + 1, tree.run(rank).end);
                EXPECT_EQ(int(run.size()), tree.run(rank).end - rank);
            }
        }
}

}  // namespace
}  // namespace echelon
