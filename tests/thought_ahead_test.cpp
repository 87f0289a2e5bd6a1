// SPDX-License-Identifier: Apache-2.0
/// Candidates that ranks find in parallel before a calibration equal the candidates that one rank finds.
#include "measure/thought_ahead.hpp"

#include "groups/layout.hpp"
#include "mpi/comm.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>
#include <algorithm>

namespace echelon {
namespace {

class ThoughtAheadTest : public testing::Test {
protected:
    const int rank = rank_of(MPI_COMM_WORLD);
    const std::vector<PlannedCell> cells{{Collective::allreduce, 8, false},
                                         {Collective::allreduce, 64 << 10, false},
                                         {Collective::reduce, 1 << 10, false},
                                         {Collective::bcast, 1 << 20, false},
                                         {Collective::bcast, 3, true}};
    const Profile profile{.parameters = Parameters{.machine = {.inside = Hockney{5e-7, 2.5e-10},
                                                               .between = Hockney{2e-5, 8e-10},
                                                               .card = 1.25e9,
                                                               .gamma = 3e-10}}};
    const Placement placement = placement_of_layout("5x4");
    const std::string layout = layout_of(placement);

    std::vector<Proposed> alone(const PlannedCell& cell) const {
        Proposals proposals(profile, placement, layout);
        proposals.begin(cell.collective, cell.bytes);
        constexpr std::size_t most = 5;
        return proposals.shortlist(most);
    }
};

TEST_F(ThoughtAheadTest, FindsTogetherWhatOneRankFindsAlone) {
    ThoughtAhead ahead;
    std::size_t own = 0;
    ahead.find(
        cells, [&](const PlannedCell& cell) { return ++own, alone(cell); }, 0, MPI_COMM_WORLD);
    const auto ranks = std::size_t(size_of(MPI_COMM_WORLD));
    EXPECT_EQ(own, (cells.size() + ranks - 1 - std::size_t(rank)) / ranks) << "each cell once";
    for (const PlannedCell& cell : cells) {
        const std::vector<Proposed>* const found = ahead.of(cell);
        ASSERT_EQ(found != nullptr, rank == 0);
        if (rank != 0) continue;
        const std::vector<Proposed> expected = alone(cell);
        ASSERT_EQ(found->size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(to_string((*found)[i].recipe), to_string(expected[i].recipe));
            EXPECT_EQ((*found)[i].replayed, expected[i].replayed);
        }
        EXPECT_GT(found->front().replayed, 0);
    }
}

// On a part of the ranks only recipes with native parts were measured: no time showed how right the model
// is, and native stayed.
TEST_F(ThoughtAheadTest, ProposesARecipeWithAPrice) {
    Profile known = profile;
    for (const auto& [ranks, where] : {std::pair(20, "5x4"), {4, "1x4"}, {5, "5x1"}})
        known.samples.push_back(
            {Collective::reduce, ranks, where, 1024, Recipe(), ranks == 20 ? 1.0 : 1e-9, 0});
    Proposals proposals(known, placement, layout);
    proposals.begin(Collective::reduce, 1024);
    const auto parts = [&](std::size_t most) {
        std::vector<bool> native;
        for (const Proposed& one : proposals.promising(most, 0))
            native.push_back(one.recipe.has_native_parts());
        return native;
    };
    EXPECT_EQ(parts(1), std::vector{false});
    EXPECT_EQ(parts(3).front(), true) << "they are expected to be faster";
    EXPECT_EQ(std::ranges::count(parts(3), false), 1);
}

TEST(PlannedCells, SpreadOverAllSizesAndNeighboursComeFirst) {
    using enum Collective;
    std::string order;
    for (const PlannedCell& cell : planned_cells({reduce, barrier, alltoall}, {64, 8, 16, 32, 128}, 20))
        order += std::string(name(cell.collective)) + ' ' + std::to_string(cell.bytes) +
                 (cell.between ? " between" : "") + "; ";
    // Blocks of less than a byte make no sense on 20 ranks.
    EXPECT_EQ(order,
              "reduce 8; barrier 8; reduce 128; alltoall 128; reduce 32; alltoall 32; reduce 16 between; "
              "reduce 64 between; alltoall 64 between; ");
}

TEST_F(ThoughtAheadTest, WhatThereWasNoTimeForIsNotFound) {
    ThoughtAhead ahead;
    constexpr double long_ago = 1e-9;
    ahead.find(
        cells, [&](const PlannedCell& cell) { return alone(cell); }, long_ago, MPI_COMM_WORLD);
    for (const PlannedCell& cell : cells) EXPECT_EQ(ahead.of(cell), nullptr);
}

}  // namespace
}  // namespace echelon
