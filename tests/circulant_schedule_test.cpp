// SPDX-License-Identifier: Apache-2.0
#include "flat/circulant_schedule.hpp"

#include "core/ranks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace echelon {
namespace {

/// Runs the rounds of all ranks: a rank sends only blocks that it has, and its receiver expects them.
void expect_broadcast(int p, int blocks) {
    std::vector<CirculantSchedule> ranks;
    for (int rank = 0; rank < p; ++rank) ranks.emplace_back(p, rank, blocks);
    std::vector<std::vector<bool>> has(std::size_t(p), std::vector<bool>(std::size_t(blocks), false));
    has[0].assign(std::size_t(blocks), true);

    const int rounds = p == 1 ? 0 : blocks - 1 + ceil_log2(p);
    for (int round = 0; round < rounds; ++round) {
        const auto had = has;
        for (int rank = 0; rank < p; ++rank) {
            const CirculantSchedule& own = ranks[std::size_t(rank)];
            ASSERT_EQ(own.rounds(), rounds);
            const auto sent = own.sent(round);
            const CirculantSchedule& peer = ranks[std::size_t(own.to(round))];
            ASSERT_EQ(peer.from(round), rank);
            ASSERT_EQ(sent, peer.received(round)) << "p " << p << ", round " << round << ", rank " << rank;
            if (!sent) continue;
            ASSERT_TRUE(had[std::size_t(rank)][std::size_t(*sent)]) << p << ' ' << round << ' ' << rank;
            has[std::size_t(own.to(round))][std::size_t(*sent)] = true;
        }
    }
    for (int rank = 0; rank < p; ++rank)
        ASSERT_EQ(has[std::size_t(rank)], std::vector<bool>(std::size_t(blocks), true))
            << "p " << p << ", rank " << rank;
}

TEST(CirculantSchedule, BringsAllBlocksToAllRanksInTheFewestRounds) {
    for (int p = 1; p <= 130; ++p)
        for (const int blocks : {1, 2, 3, 7, 20}) expect_broadcast(p, blocks);
    for (const int p : {255, 256, 257, 1000, 1023, 1025})
        for (const int blocks : {1, 13}) expect_broadcast(p, blocks);
}

}  // namespace
}  // namespace echelon
