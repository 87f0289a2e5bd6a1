// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/kmeans/lloyd.hpp"

#include <algorithm>
#include <span>

namespace kmeans {

/// The system of one rank that has all points: for the reference, and for tests.
struct Alone {
    static void sum(Sums&) {}
    static Farthest farthest(const Farthest& mine) { return mine; }
    static void fetch(std::size_t point, const Shard& shard, std::span<double> centroid) {
        std::ranges::copy(shard.point(point), centroid.begin());
    }
    template <class Work>
    static void compute(double, Work&& work) {
        work();
    }
    static void progress(int, double, long) {}
};

}  // namespace kmeans
