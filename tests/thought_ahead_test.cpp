// SPDX-License-Identifier: Apache-2.0
/// What ranks think of side by side, before a calibration, is what one of them would have thought of.
#include "measure/thought_ahead.hpp"

#include "groups/layout.hpp"
#include "mpi/comm.hpp"
#include "tests/support/communicators.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

class ThoughtAheadTest : public testing::Test {
protected:
    const int rank = rank_of(MPI_COMM_WORLD);
    const std::vector<ThoughtAhead::Call> calls{{Collective::allreduce, 8},
                                                {Collective::allreduce, 64 << 10},
                                                {Collective::reduce, 1 << 10},
                                                {Collective::bcast, 1 << 20},
                                                {Collective::bcast, 3}};
    const Profile profile{.parameters = Parameters{.machine = {.inside = Hockney{5e-7, 2.5e-10},
                                                               .between = Hockney{2e-5, 8e-10},
                                                               .card = 1.25e9,
                                                               .gamma = 3e-10}}};
    const Placement placement = placement_of_layout("5x4");
    const std::string layout = layout_of(placement);

    std::vector<Proposed> alone(const ThoughtAhead::Call& call) const {
        Proposals proposals(profile, placement, layout);
        proposals.begin(call.first, call.second);
        constexpr std::size_t most = 5;
        return proposals.shortlist(most);
    }
};

TEST_F(ThoughtAheadTest, FindsTogetherWhatOneRankFindsAlone) {
    ThoughtAhead ahead;
    std::size_t own = 0;
    ahead.find(
        calls, [&](const ThoughtAhead::Call& call) { return ++own, alone(call); }, 0, MPI_COMM_WORLD);
    const auto ranks = std::size_t(size_of(MPI_COMM_WORLD));
    EXPECT_EQ(own, (calls.size() + ranks - 1 - std::size_t(rank)) / ranks) << "each call once";
    for (const ThoughtAhead::Call& call : calls) {
        const std::vector<Proposed>* const found = ahead.of(call);
        ASSERT_EQ(found != nullptr, rank == 0);
        if (rank != 0) continue;
        const std::vector<Proposed> expected = alone(call);
        ASSERT_EQ(found->size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(to_string((*found)[i].recipe), to_string(expected[i].recipe));
            EXPECT_EQ((*found)[i].replayed, expected[i].replayed);
        }
        EXPECT_GT(found->front().replayed, 0);
    }
}

TEST_F(ThoughtAheadTest, WhatThereWasNoTimeForIsNotFound) {
    ThoughtAhead ahead;
    constexpr double long_ago = 1e-9;
    ahead.find(
        calls, [&](const ThoughtAhead::Call& call) { return alone(call); }, long_ago, MPI_COMM_WORLD);
    for (const ThoughtAhead::Call& call : calls) EXPECT_EQ(ahead.of(call), nullptr);
}

}  // namespace
}  // namespace echelon
