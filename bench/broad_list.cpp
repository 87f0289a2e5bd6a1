// SPDX-License-Identifier: Apache-2.0
#include "bench/broad_list.hpp"

#include "core/error.hpp"
#include "flat/algorithm.hpp"
#include "hier/meaning.hpp"
#include "hier/phase.hpp"
#include "hier/shapes.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace echelon::bench {
namespace {

/// Inner and outer algorithms of a shape, for one collective.
struct Pairs {
    Collective collective;
    std::string_view shape;
    std::vector<std::string_view> pairs;
};

const std::vector<Pairs>& good_pairs() {
    using enum Collective;
    static const std::vector<Pairs> all{
        {allreduce,
         "leaders",
         {"flat_tree, recursive_doubling", "binomial, recursive_doubling", "binomial, rabenseifner",
          "binomial, bine", "binomial, ring", "chain, ring", "native, ring", "native, native"}},
        {allreduce,
         "positions",
         {"recursive_doubling, recursive_doubling", "rabenseifner, rabenseifner", "ring, ring",
          "native, native"}},
        {allreduce,
         "lanes",
         {"ring, recursive_doubling", "ring, ring", "circulant, circulant", "halving+doubling, rabenseifner",
          "native, native"}},
        {reduce,
         "leaders",
         {"flat_tree, flat_tree", "binomial, binomial", "chain, chain", "binomial, rabenseifner",
          "rabenseifner, rabenseifner", "native, native"}},
        {reduce, "positions", {"recursive_doubling, binomial", "ring, rabenseifner", "native, native"}},
        {reduce, "lanes", {"ring, binomial", "halving, rabenseifner", "circulant, ring", "native, native"}},
        {bcast,
         "leaders",
         {"flat_tree, flat_tree", "binomial, binomial", "chain, chain", "binomial, scatter_allgather",
          "scatter_allgather, scatter_allgather", "native, native"}},
        {bcast, "positions", {"binomial, binomial", "chain, chain", "native, native"}},
        {bcast,
         "lanes",
         {"ring, binomial", "doubling, scatter_allgather", "circulant, chain", "native, native"}},
        {barrier, "leaders", {"binomial, dissemination", "flat_tree, recursive_doubling", "native, native"}},
        {barrier, "positions", {"dissemination, dissemination"}},
        {reduce_scatter, "leaders", {"binomial, halving", "binomial, circulant", "native, native"}},
        {reduce_scatter, "lanes", {"ring, ring", "circulant, circulant", "native, native"}},
        {allgather, "leaders", {"binomial, ring", "binomial, circulant", "native, native"}},
        {allgather, "positions", {"circulant, circulant", "ring, ring", "native, native"}},
        {allgather, "lanes", {"circulant, circulant", "ring, ring", "native, native"}},
        {gather, "leaders", {"linear, linear", "binomial, linear", "binomial, binomial", "native, native"}},
        {scatter, "leaders", {"linear, linear", "binomial, linear", "binomial, binomial", "native, native"}},
        {alltoall, "leaders", {"binomial, pairwise", "linear, bruck", "native, native"}},
        {alltoall, "positions", {"linear, linear", "pairwise, pairwise", "bruck, bruck", "native, native"}},
        {scan,
         "leaders",
         {"recursive_doubling+binomial, recursive_doubling", "chain, recursive_doubling", "native, native"}},
        {exscan, "leaders", {"recursive_doubling+binomial, recursive_doubling", "native, native"}}};
    return all;
}

/// True if the row belongs to the collective, or is a reduce whose name stands for both halves of it.
bool serves(const Algorithm& row, Collective collective) {
    return row.collective == collective ||
           (row.collective == Collective::reduce && meaning_of(row.name, collective).in_halves());
}

}  // namespace

std::vector<Groups> broad_groups(const Placement& placement) {
    const int p = placement.size();
    std::vector<Groups> candidates{Groups::site(), Groups::leaf_switch(), Groups::node(), Groups::package(),
                                   Groups::numa(), Groups::l3(),          Groups::sqrt()};
    for (int count = 2; count < p; count *= 4) candidates.push_back(Groups::count(count));
    candidates.push_back(Groups::size(2));

    std::vector<Groups> kept;
    std::vector<Partition> partitions;
    for (const Groups& groups : candidates) {
        Partition partition = resolve(groups, p, placement);
        if (partition.flat() ||
            std::find(partitions.begin(), partitions.end(), partition) != partitions.end())
            continue;
        kept.push_back(groups);
        partitions.push_back(std::move(partition));
    }
    return kept;
}

std::vector<Recipe> broad_list(Collective collective, const Placement& placement) {
    std::vector<Recipe> recipes;
    for (const Algorithm& row : catalog())
        if (serves(row, collective)) recipes.push_back(Recipe::parse(row.name));
    for (const Groups& groups : broad_groups(placement)) {
        const Partition partition = resolve(groups, placement.size(), placement);
        for (const Pairs& good : good_pairs()) {
            if (good.collective != collective) continue;
            for (const auto& pair : good.pairs) {
                Recipe recipe = Recipe::parse(std::string(good.shape) + '(' + to_string(groups) + ", " +
                                              std::string(pair) + ')');
                const ShapeRow* const row = find_shape(recipe.kind, collective);
                if (row == nullptr || !row->unmet(GroupSizes::of(partition), {}))
                    recipes.push_back(std::move(recipe));
            }
        }
    }
    return recipes;
}

}  // namespace echelon::bench
