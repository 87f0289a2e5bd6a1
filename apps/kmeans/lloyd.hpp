// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/kmeans/shard.hpp"

namespace kmeans {

struct Found {
    std::vector<double> centroids;
    std::vector<long> counts = {};
    double inertia = 0;
    int iterations = 0, refilled = 0;
    /// No point changes its cluster.
    bool settled = false;
    /// The inertia never rises (proved by Lloyd).
    bool descending = true;
};

// The functions below use these members of a `System`:
//     sum(sums)                       adds them over all ranks, in place
//     farthest(mine) -> Farthest      of all ranks; of equal distances the first point
//     fetch(point, shard, centroid)   brings a point's coordinates to all ranks
//     compute(flops, work)            runs local work
//     progress(iteration, inertia, changed)

/// Puts the centroid on the point that is farthest from its own centroid: the rule for a cluster without
/// points.
template <class System>
void refill(System& system, Shard& shard, std::span<double> centroid) {
    Farthest mine;
    system.compute(double(shard.size()), [&] { mine = shard.farthest(); });
    system.fetch(std::size_t(system.farthest(mine).point), shard, centroid);
    system.compute(3 * double(shard.size() * shard.dimensions()), [&] { shard.approach(centroid); });
}

/// Initial centroids; at first all clusters are without points.
template <class System>
std::vector<double> seeds(System& system, Shard& shard, std::size_t clusters) {
    std::vector<double> centroids(clusters * shard.dimensions());
    for (std::size_t c = 0; c < clusters; ++c)
        refill(system, shard, std::span(centroids).subspan(c * shard.dimensions(), shard.dimensions()));
    return centroids;
}

/// Moves centroids to the means of their points until no point changes its cluster (Lloyd 1982).
template <class System>
Found lloyd(System& system, Shard& shard, std::vector<double> centroids, int iterations) {
    const std::size_t dimensions = shard.dimensions(), clusters = centroids.size() / dimensions;
    Found found{.centroids = std::move(centroids), .inertia = std::numeric_limits<double>::max()};
    while (!found.settled && found.iterations < iterations) {
        Sums sums;
        system.compute(3 * double(shard.size() * found.centroids.size()),
                       [&] { sums = shard.assign(found.centroids); });
        system.sum(sums);
        found.descending = found.descending && sums.inertia() <= found.inertia * (1 + 1e-12);
        found.inertia = sums.inertia();
        found.settled = sums.changed() == 0;
        found.counts.assign(sums.counts.begin(), sums.counts.end() - 1);
        for (std::size_t c = 0; c < clusters; ++c) {
            const auto centroid = std::span(found.centroids).subspan(c * dimensions, dimensions);
            if (found.counts[c] == 0) {
                refill(system, shard, centroid);
                ++found.refilled;
                found.settled = false;
            } else {
                for (std::size_t d = 0; d < dimensions; ++d)
                    centroid[d] = sums.coordinates[c * dimensions + d] / double(found.counts[c]);
            }
        }
        system.progress(++found.iterations, found.inertia, sums.changed());
    }
    return found;
}

}  // namespace kmeans
