// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/blocks.hpp"
#include "core/link.hpp"
#include "core/ranks.hpp"

#include <algorithm>
#include <vector>

/// Algorithms of the 2005 paper in their plainest form. The paper's formulas are tested against them.
namespace echelon::textbook {

struct Tree {
    int parent = -1;
    std::vector<int> children = {};
};

inline Tree flat_tree(int rank, int p) {
    Tree tree{.parent = rank == 0 ? -1 : 0};
    for (int r = 1; rank == 0 && r < p; ++r) tree.children.push_back(r);
    return tree;
}

inline Tree chain_tree(int rank, int p) {
    Tree tree{.parent = rank - 1};
    if (rank + 1 < p) tree.children.push_back(rank + 1);
    return tree;
}

inline Tree heap_tree(int rank, int p) {
    Tree tree{.parent = rank == 0 ? -1 : (rank - 1) / 2};
    for (const int child : {2 * rank + 1, 2 * rank + 2})
        if (child < p) tree.children.push_back(child);
    return tree;
}

/// The farthest child comes first.
inline Tree binomial_tree(int rank, int p) {
    Tree tree;
    int distance = 1;
    while (distance < p && (rank & distance) == 0) distance *= 2;
    if (rank > 0) tree.parent = rank - distance;
    for (distance /= 2; distance > 0; distance /= 2)
        if (rank + distance < p) tree.children.push_back(rank + distance);
    return tree;
}

/// Every segment goes to all children before the next one is waited for.
inline void bcast(Link& link, const Tree& tree, std::size_t count, std::size_t segment) {
    const Segments segments({0, count}, segment);
    std::vector<Link::Ticket> sending;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (tree.parent >= 0) link.receive(tree.parent, segments[i]);
        for (const auto ticket : sending) link.wait(ticket);
        sending.clear();
        for (const int child : tree.children) sending.push_back(link.start_send(child, segments[i]));
    }
    for (const auto ticket : sending) link.wait(ticket);
}

/// Every segment is received from all children in rank order; the next one may arrive while it is combined.
inline void reduce(Link& link, const Tree& tree, std::size_t count, std::size_t segment) {
    const Segments segments({0, count}, segment);
    std::vector<int> children = tree.children;
    std::sort(children.begin(), children.end());
    std::vector<std::vector<Link::Ticket>> arriving(segments.size());
    const auto post = [&](std::size_t i) {
        for (const int child : children)
            arriving[i].push_back(link.start_receive(child, {count, segments[i].count, Buffer::input}));
    };
    auto sending = Link::Ticket::none;
    post(0);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (i + 1 < segments.size()) post(i + 1);
        for (const auto ticket : arriving[i]) {
            link.wait(ticket);
            link.reduce(segments[i], {count, segments[i].count, Buffer::input}, Side::after);
        }
        link.wait(sending);
        if (tree.parent >= 0) sending = link.start_send(tree.parent, segments[i]);
    }
    link.wait(sending);
}

/// Every rank tells the root, which then tells every rank.
inline void flat_barrier(Link& link) {
    const Tree tree = flat_tree(link.rank(), link.size());
    reduce(link, tree, 0, 0);
    bcast(link, tree, 0, 0);
}

/// The token goes around twice: a rank leaves when it arrives the second time.
inline void double_ring_barrier(Link& link) {
    const int p = link.size(), next = wrap(link.rank() + 1, p), prev = wrap(link.rank() - 1, p);
    for (int round = 0; round < 2; ++round) {
        if (link.rank() > 0) link.receive(prev, {});
        link.send(next, {});
        if (link.rank() == 0) link.receive(prev, {});
    }
}

inline void dissemination_barrier(Link& link) {
    for (int distance = 1; distance < link.size(); distance *= 2)
        link.exchange(wrap(link.rank() + distance, link.size()), {},
                      wrap(link.rank() - distance, link.size()), {});
}

/// Requires a power of two of ranks.
inline void recursive_doubling_barrier(Link& link) {
    for (int distance = 1; distance < link.size(); distance *= 2)
        link.exchange(link.rank() ^ distance, {}, link.rank() ^ distance, {});
}

inline void pairwise_alltoall(Link& link, std::size_t block) {
    const int p = link.size();
    for (int i = 1; i < p; ++i)
        link.exchange(wrap(link.rank() + i, p), {0, block}, wrap(link.rank() - i, p), {block, block});
}

/// A multi-message stage: everything is posted at once, in shifted order, then everything is combined.
inline void all_at_once(Link& link, std::size_t block, bool combines) {
    const int p = link.size();
    std::vector<Link::Ticket> tickets;
    for (int i = 1; i < p; ++i)
        tickets.push_back(link.start_receive(wrap(link.rank() - i, p), {block, block}));
    for (int i = 1; i < p; ++i) tickets.push_back(link.start_send(wrap(link.rank() + i, p), {0, block}));
    for (const auto ticket : tickets) link.wait(ticket);
    for (int i = 1; combines && i < p; ++i) link.reduce({0, block}, {block, block}, Side::after);
}

}  // namespace echelon::textbook
