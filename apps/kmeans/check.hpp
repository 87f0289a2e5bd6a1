// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/kmeans/lloyd.hpp"

namespace kmeans {

/// The sums over one rank's share of the clusters as generated: the end of a perfect run.
inline Sums made_sums(const Clusters& made, examples::Run share) {
    const std::size_t dimensions = made.dimensions();
    Sums sums{std::vector<double>(made.count() * dimensions + 1), std::vector<long>(made.count() + 1)};
    std::vector<double> point(dimensions);
    for (std::size_t i = share.begin; i < std::size_t(share.end); ++i) {
        const std::size_t c = made.cluster_of(i);
        made.point(i, point);
        for (std::size_t d = 0; d < dimensions; ++d) sums.coordinates[c * dimensions + d] += point[d];
        ++sums.counts[c];
    }
    return sums;
}

/// The largest difference of two vectors in a coordinate.
inline double apart(std::span<const double> one, std::span<const double> other) {
    double most = 0;
    for (std::size_t i = 0; i < one.size(); ++i) most = std::max(most, std::abs(one[i] - other[i]));
    return most;
}

/// True if every generated cluster was found: with as many points, and its centroid to rounding. `made`: over
/// all ranks.
inline bool same_clusters(const Found& found, const Sums& made, std::size_t dimensions) {
    for (std::size_t c = 0; c < found.counts.size(); ++c) {
        if (made.counts[c] == 0) continue;
        std::vector<double> mean(dimensions);
        for (std::size_t d = 0; d < dimensions; ++d)
            mean[d] = made.coordinates[c * dimensions + d] / double(made.counts[c]);
        bool seen = false;
        for (std::size_t f = 0; f < found.counts.size(); ++f)
            seen =
                seen || (found.counts[f] == made.counts[c] &&
                         apart(std::span(found.centroids).subspan(f * dimensions, dimensions), mean) < 1e-9);
        if (!seen) return false;
    }
    return true;
}

}  // namespace kmeans
