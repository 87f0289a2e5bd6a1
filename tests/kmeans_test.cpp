// SPDX-License-Identifier: Apache-2.0
/// The iteration of the example application kmeans, on one process.
#include "apps/kmeans/alone.hpp"
#include "apps/kmeans/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kmeans {
namespace {

TEST(Lloyd, finds_separated_clusters_exactly) {
    for (const std::size_t dimensions : {1u, 2u, 5u})
        for (const std::size_t clusters : {1u, 7u, 20u}) {
            const Clusters made(clusters, dimensions, 0.19, 5);
            ASSERT_TRUE(made.separated());
            const examples::Run all{0, 2000};
            Shard shard(made, all);
            Alone alone;
            const Found found = lloyd(alone, shard, seeds(alone, shard, clusters), 50);
            EXPECT_TRUE(found.settled && found.descending);
            Sums truth = made_sums(made, all);
            EXPECT_TRUE(same_clusters(found, truth, dimensions)) << dimensions << ' ' << clusters;
            truth.coordinates[0] += 1e-3;
            EXPECT_FALSE(same_clusters(found, truth, dimensions));
        }
}

TEST(Lloyd, puts_a_cluster_without_points_on_the_farthest_point) {
    const Clusters made(3, 2, 0.1, 5);
    const examples::Run all{0, 300};
    Shard shard(made, all);
    Alone alone;
    std::vector<double> start = seeds(alone, shard, 3);
    start[2] = start[3] = 1000;  // far from all points
    const Found found = lloyd(alone, shard, start, 50);
    EXPECT_EQ(found.refilled, 1);
    EXPECT_TRUE(found.settled && found.descending);
    EXPECT_TRUE(same_clusters(found, made_sums(made, all), 2));
}

TEST(Lloyd, comes_down_where_clusters_overlap) {
    const Clusters made(9, 2, 1.5, 5);
    EXPECT_FALSE(made.separated());
    Shard shard(made, {0, 3000});
    Alone alone;
    const auto first = seeds(alone, shard, 9);
    const Found early = lloyd(alone, shard, first, 2), late = lloyd(alone, shard, first, 100);
    EXPECT_TRUE(late.settled && late.descending);
    EXPECT_GT(late.iterations, 5);
    EXPECT_LT(late.inertia, early.inertia);
}

TEST(Points, farthest_is_the_first_of_several) {
    const Clusters made(1, 1, 0, 5);  // all in one place
    Shard shard(made, {4, 7});
    EXPECT_EQ(shard.farthest().point, 4);
    EXPECT_EQ(Shard(made, {4, 4}).farthest().distance, -1) << "nobody's point";
}

}  // namespace
}  // namespace kmeans
