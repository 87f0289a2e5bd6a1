// SPDX-License-Identifier: Apache-2.0
#include "flat/two_trees.hpp"

#include "core/ranks.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace echelon {
namespace {

/// Labels 1 .. m in order: odd labels are leaves.
class InOrderLabels {
public:
    explicit InOrderLabels(int m) : m_(m) {}
    int root() const { return 1 << floor_log2(m_); }
    /// Calls `each(child)` for the children of a label.
    template <class Each>
    void children(int label, const Each& each) const {
        const int reach = label & -label;
        if (reach > 1) each(label - reach / 2);
        for (int step = reach / 2; step > 0; step /= 2)
            if (label + step <= m_) return each(label + step);
    }

private:
    int m_;
};

/// The rank of a label of the second tree: inner labels are even, and become odd ranks.
int second_rank(int label, int m) {
    if (m % 2 == 0) return m + 1 - label;
    return label == m ? 1 : label + 1;
}

/// At most two edges.
class Few {
public:
    void push_back(std::size_t edge) { edges_[count_++] = edge; }
    const std::size_t* begin() const { return edges_.data(); }
    const std::size_t* end() const { return edges_.data() + count_; }

private:
    std::array<std::size_t, 2> edges_{};
    std::size_t count_ = 0;
};

/// Gives neighbours in a graph of paths and even cycles different colours.
void colour(std::vector<std::optional<int>>& colours, std::size_t edge, int with,
            const std::vector<Few>& neighbours, std::vector<std::pair<std::size_t, int>>& open) {
    open.assign(1, {edge, with});
    while (!open.empty()) {
        const auto [here, own] = open.back();
        open.pop_back();
        if (colours[here]) continue;
        colours[here] = own;
        for (const std::size_t next : neighbours[here]) open.emplace_back(next, 1 - own);
    }
}

}  // namespace

TwoTrees::TwoTrees(int p) {
    const int m = p - 1;
    if (m == 0) return;
    const InOrderLabels labels(m);
    edges_.reserve(2 * std::size_t(m));
    for (int tree = 0; tree < 2; ++tree) {
        const auto rank = [&](int label) { return tree == 0 ? label : second_rank(label, m); };
        std::vector<int> open{labels.root()};
        edges_.push_back({tree, 0, rank(labels.root()), 0});
        while (!open.empty()) {
            const int parent = open.back();
            open.pop_back();
            labels.children(parent, [&](int child) {
                edges_.push_back({tree, rank(parent), rank(child), 0});
                open.push_back(child);
            });
        }
    }

    // Edges with the same receiver or the same sender are neighbours: at most one of each kind.
    const auto ranks = std::size_t(p);
    std::vector<Few> neighbours(edges_.size()), leading_to(ranks), leading_from(ranks);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        for (auto* group :
             {&leading_to[std::size_t(edges_[i].to)], &leading_from[std::size_t(edges_[i].from)]}) {
            for (const std::size_t other : *group) {
                neighbours[i].push_back(other);
                neighbours[other].push_back(i);
            }
            group->push_back(i);
        }
    }
    std::vector<std::optional<int>> colours(edges_.size());
    std::vector<std::pair<std::size_t, int>> open;
    for (std::size_t i = 0; i < edges_.size(); ++i) colour(colours, i, 0, neighbours, open);

    // Parents come before their children in the list.
    for (std::size_t i = 0; i < edges_.size(); ++i) {
        int earliest = 0;
        for (const std::size_t above : leading_to[std::size_t(edges_[i].from)])
            if (edges_[above].tree == edges_[i].tree) earliest = edges_[above].first_round + 1;
        edges_[i].first_round = earliest + (earliest % 2 == *colours[i] ? 0 : 1);
    }
}

std::vector<TwoTrees::Edge> TwoTrees::to(int rank) const {
    std::vector<Edge> found;
    std::copy_if(edges_.begin(), edges_.end(), std::back_inserter(found),
                 [&](const Edge& e) { return e.to == rank; });
    return found;
}

std::vector<TwoTrees::Edge> TwoTrees::from(int rank) const {
    std::vector<Edge> found;
    std::copy_if(edges_.begin(), edges_.end(), std::back_inserter(found),
                 [&](const Edge& e) { return e.from == rank; });
    return found;
}

int TwoTrees::rounds(std::size_t segments) const {
    int last = -1;
    for (const Edge& edge : edges_) last = std::max(last, edge.first_round + 2 * (int(segments) - 1));
    return last + 1;
}

std::shared_ptr<const TwoTrees> two_trees(int p) {
    constexpr std::size_t most = 16;
    static std::mutex mutex;
    static auto& kept = *new std::map<int, std::shared_ptr<const TwoTrees>>;  // exit handlers may call MPI
    const std::scoped_lock lock(mutex);
    if (kept.size() == most && !kept.contains(p)) kept.clear();
    std::shared_ptr<const TwoTrees>& trees = kept[p];
    if (trees == nullptr) trees = std::make_shared<const TwoTrees>(p);
    return trees;
}

int two_tree_rounds(int p, std::size_t segments) {
    static std::mutex mutex;
    static auto& of_one = *new std::map<int, int>;
    const std::scoped_lock lock(mutex);
    const auto [known, is_new] = of_one.try_emplace(p);
    if (is_new) known->second = two_trees(p)->rounds(1);
    return p < 2 ? 0 : known->second + 2 * (int(segments) - 1);
}

}  // namespace echelon
