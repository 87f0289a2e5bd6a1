// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/random.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kmeans {

/// Points around known centres: a function of the seed and the point's index alone.
class Clusters {
public:
    /// `spread`: largest distance of a point from its centre.
    Clusters(std::size_t clusters, std::size_t dimensions, double spread, std::uint64_t seed)
        : clusters_(clusters),
          dimensions_(dimensions),
          spread_(spread),
          seed_(seed),
          centres_(clusters * dimensions) {
        // Centres lie on a lattice of distance 1, each moved by at most 0.1.
        std::size_t side = 1;
        while (std::pow(double(side), double(dimensions)) < double(clusters)) ++side;
        for (std::size_t c = 0; c < clusters; ++c)
            for (std::size_t d = 0, rest = c; d < dimensions; ++d, rest /= side)
                centres_[c * dimensions + d] = double(rest % side) + 0.1 * offset(seed + 1, c, d);
    }

    std::size_t count() const { return clusters_; }
    std::size_t dimensions() const { return dimensions_; }
    std::size_t cluster_of(std::size_t point) const {
        return examples::random_bits(seed_ + 2, point) % clusters_;
    }
    void point(std::size_t index, std::span<double> to) const {
        const double* const centre = &centres_[cluster_of(index) * dimensions_];
        for (std::size_t d = 0; d < dimensions_; ++d) to[d] = centre[d] + spread_ * offset(seed_, index, d);
    }
    /// Any two points of one cluster are nearer to each other than any two of different clusters. Then the
    /// point that is farthest from all centroids always belongs to a cluster without one, and the result
    /// equals the generated clusters.
    bool separated() const { return 2 * spread_ < 0.8 - 2 * spread_; }

private:
    /// One coordinate of a vector that is at most 1 long.
    double offset(std::uint64_t seed, std::size_t index, std::size_t d) const {
        return examples::random_number(seed, index * dimensions_ + d) / std::sqrt(double(dimensions_));
    }

    std::size_t clusters_, dimensions_;
    double spread_;
    std::uint64_t seed_;
    std::vector<double> centres_;
};

}  // namespace kmeans
