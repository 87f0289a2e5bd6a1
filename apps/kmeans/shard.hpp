// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/common/parts.hpp"
#include "apps/kmeans/points.hpp"

#include <limits>

namespace kmeans {

/// A point and its squared distance from the nearest centroid.
struct Farthest {
    double distance = -1;
    int point = std::numeric_limits<int>::max();
};

/// Values to add over all ranks after each assignment: for each cluster the coordinates of its points and
/// their number; behind these, the inertia (the squared distances) and the number of points that changed
/// their cluster.
struct Sums {
    std::vector<double> coordinates;
    std::vector<long> counts;
    double& inertia() { return coordinates.back(); }
    long& changed() { return counts.back(); }
};

/// The points of one rank, with the cluster of each and its distance to that cluster's centroid.
class Shard {
public:
    Shard(const Clusters& made, examples::Run share)
        : begin_(std::size_t(share.begin)),
          count_(std::size_t(share.size())),
          dimensions_(made.dimensions()),
          points_(count_ * dimensions_),
          cluster_(count_, made.count()),
          distance_(count_, std::numeric_limits<double>::max()) {
        for (std::size_t i = 0; i < count_; ++i) made.point(begin_ + i, coordinates(i));
    }

    std::size_t size() const { return count_; }
    std::size_t dimensions() const { return dimensions_; }
    /// A point by its index among all points. Requires: it is on this rank.
    std::span<const double> point(std::size_t index) const {
        return std::span(points_).subspan((index - begin_) * dimensions_, dimensions_);
    }

    /// Assigns every point to the nearest centroid; the first of several.
    Sums assign(std::span<const double> centroids) {
        const std::size_t clusters = centroids.size() / dimensions_;
        Sums sums{std::vector<double>(centroids.size() + 1), std::vector<long>(clusters + 1)};
        for (std::size_t i = 0; i < count_; ++i) {
            std::size_t nearest = 0;
            double least = std::numeric_limits<double>::max();
            for (std::size_t c = 0; c < clusters; ++c)
                if (const double d = squared(i, centroids.subspan(c * dimensions_, dimensions_)); d < least) {
                    nearest = c;
                    least = d;
                }
            sums.changed() += cluster_[i] != nearest;
            sums.inertia() += least;
            cluster_[i] = nearest;
            distance_[i] = least;
            for (std::size_t d = 0; d < dimensions_; ++d)
                sums.coordinates[nearest * dimensions_ + d] += coordinates(i)[d];
            ++sums.counts[nearest];
        }
        return sums;
    }
    /// The point that is farthest from its centroid; the first of several.
    Farthest farthest() const {
        Farthest found;
        for (std::size_t i = 0; i < count_; ++i)
            if (distance_[i] > found.distance) found = {distance_[i], int(begin_ + i)};
        return found;
    }
    /// Includes one more centroid in the distances.
    void approach(std::span<const double> centroid) {
        for (std::size_t i = 0; i < count_; ++i) distance_[i] = std::min(distance_[i], squared(i, centroid));
    }

private:
    std::span<double> coordinates(std::size_t i) {
        return std::span(points_).subspan(i * dimensions_, dimensions_);
    }
    double squared(std::size_t i, std::span<const double> to) const {
        double sum = 0;
        for (std::size_t d = 0; d < dimensions_; ++d) {
            const double difference = points_[i * dimensions_ + d] - to[d];
            sum += difference * difference;
        }
        return sum;
    }

    std::size_t begin_, count_, dimensions_;
    std::vector<double> points_;
    std::vector<std::size_t> cluster_;
    std::vector<double> distance_;
};

}  // namespace kmeans
