// SPDX-License-Identifier: Apache-2.0
/// Gatherv, scatterv and alltoallv of short blocks in virtual time: with their program of numbers, trees and
/// Bruck take less time than the library's messages straight to their places.
#include "support/communicators.hpp"

#include <gtest/gtest.h>
#include <cstdio>
#include <echelon/echelon.hpp>
#include <vector>

namespace echelon {
namespace {

/// Seconds of a call after a common start, on the slowest rank.
template <class Call>
double seconds(MPI_Comm comm, const Call& call) {
    PMPI_Barrier(comm);
    const double began = MPI_Wtime();
    call();
    double took = MPI_Wtime() - began;
    PMPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, comm);
    return took;
}

/// Blocks of 1 to 4 ints side by side, their lengths by the pair of ranks.
struct ShortBlocks {
    std::vector<int> counts, places, data;
    template <class Length>
    ShortBlocks(int p, const Length& length) {
        for (int r = 0; r < p; ++r) {
            places.push_back(int(data.size()));
            counts.push_back(length(r));
            data.resize(data.size() + std::size_t(counts.back()), r);
        }
    }
};

/// The times of the library and of some recipes, by the recipes' order.
template <class Call>
std::vector<double> times(MPI_Comm comm, const char* collective, const std::vector<const char*>& recipes,
                          const Call& call) {
    std::vector<double> all;
    for (const char* recipe : recipes) {
        Tuning(comm).clear(collective);
        Tuning(comm).force(collective, recipe);
        call();
        all.push_back(seconds(comm, call));
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        if (rank == 0) std::printf("%sv, %s: %.1f us\n", collective, recipe, 1e6 * all.back());
    }
    return all;
}

TEST(OwnBlocksTime, ShortBlocksOfAnAlltoallv) {
    int p = 0, me = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    ShortBlocks to(p, [&](int r) { return 1 + (me + 2 * r) % 4; }),
        from(p, [&](int r) { return 1 + (r + 2 * me) % 4; });
    const auto all =
        times(MPI_COMM_WORLD, "alltoall",
              {"native", "pairwise", "bruck", "positions(sqrt, linear, linear)", "bruck(k=4)"}, [&] {
                  alltoallv(to.data.data(), to.counts.data(), to.places.data(), MPI_INT, from.data.data(),
                            from.counts.data(), from.places.data(), MPI_INT, MPI_COMM_WORLD);
              });
    EXPECT_LT(all[2], 0.7 * all[0]);
    EXPECT_LT(all[2], 0.7 * all[1]);
    EXPECT_LT(all[3], 0.7 * all[0]);
}

TEST(OwnBlocksTime, ShortBlocksOfAGathervAndScatterv) {
    int p = 0, me = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    ShortBlocks all(p, [](int r) { return 1 + r % 4; });
    std::vector<int> own(4, me);
    const int n = 1 + me % 4;
    const std::vector<const char*> recipes{"native", "linear", "binomial", "leaders(sqrt, linear, linear)"};
    const auto gathers = times(MPI_COMM_WORLD, "gather", recipes, [&] {
        gatherv(own.data(), n, MPI_INT, all.data.data(), all.counts.data(), all.places.data(), MPI_INT, 0,
                MPI_COMM_WORLD);
    });
    EXPECT_LT(gathers[2], 0.9 * gathers[0]);
    EXPECT_LT(gathers[3], 0.8 * gathers[0]);
    const auto scatters = times(MPI_COMM_WORLD, "scatter", recipes, [&] {
        scatterv(all.data.data(), all.counts.data(), all.places.data(), MPI_INT, own.data(), n, MPI_INT, 0,
                 MPI_COMM_WORLD);
    });
    EXPECT_LT(scatters[2], 0.5 * scatters[0]);
    EXPECT_LT(scatters[3], 0.5 * scatters[0]);
}

}  // namespace
}  // namespace echelon
