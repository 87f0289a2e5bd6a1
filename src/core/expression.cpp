// SPDX-License-Identifier: Apache-2.0
#include "core/expression.hpp"

#include <algorithm>
#include <random>

namespace echelon {

Expressions::Expressions(int p) {
    std::mt19937_64 random(20160101);  // fixed: proofs are reproducible
    nodes_.push_back(
        {.left = 0, .right = 0, .association = 0, .first = -1, .last = -1, .count = 0, .fingerprint = 0});
    prefix_.push_back(0);
    for (int rank = 0; rank < p; ++rank) {
        const auto number = random();
        nodes_.push_back({.left = 0,
                          .right = 0,
                          .association = leaf(rank),
                          .first = rank,
                          .last = rank + 1,
                          .count = 1,
                          .fingerprint = number});
        prefix_.push_back(prefix_.back() + number);
    }
}

Expressions::Id Expressions::combine(Id left, Id right) {
    if (left == undefined || right == undefined) return undefined;
    const auto key = [](Id a, Id b) { return (std::uint64_t(a) << 32) | b; };
    if (const auto found = known_.find(key(left, right)); found != known_.end()) return found->second;

    // The association is the expression itself if its operands are associations in ascending order. Otherwise
    // it is the association of the ordered pair.
    const auto [low, high] = std::minmax({association(left), association(right)});  // a list: values
    const bool canonical = low == left && high == right;
    const Id association = canonical ? Id(nodes_.size()) : combine(low, high);

    const Node &a = nodes_[left], &b = nodes_[right];
    const bool joins = a.first >= 0 && b.first >= 0 && a.last == b.first;
    nodes_.push_back({.left = left,
                      .right = right,
                      .association = association,
                      .first = joins ? a.first : -1,
                      .last = joins ? b.last : -1,
                      .count = a.count + b.count,
                      .fingerprint = a.fingerprint + b.fingerprint});
    const Id id = Id(nodes_.size() - 1);
    known_.emplace(key(left, right), id);
    return id;
}

bool Expressions::complete(Id id, int last) const {
    return nodes_[id].count == last && nodes_[id].fingerprint == prefix_[std::size_t(last)];
}

bool Expressions::in_rank_order(Id id, int first, int last) const {
    return nodes_[id].first == first && nodes_[id].last == last;
}

std::string Expressions::text(Id id) const {
    if (id == undefined) return "nothing";
    if (nodes_[id].count == 1) return std::to_string(id - 1);
    return '(' + text(nodes_[id].left) + ' ' + text(nodes_[id].right) + ')';
}

}  // namespace echelon
