// SPDX-License-Identifier: Apache-2.0
// Partitions as values, and divisions of p ranks that need no placement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "groups/partition.hpp"
#include "groups/ways.hpp"

namespace {

using echelon::by_count;
using echelon::by_size;
using echelon::by_sqrt;
using echelon::Error;
using echelon::Partition;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr int most_ranks = 33;

Partition from_colors(const std::vector<int>& colors) { return Partition::from_colors(colors); }

std::vector<int> sizes(const Partition& partition) {
    std::vector<int> sizes(std::size_t(partition.group_count()));
    for (std::size_t group = 0; group < sizes.size(); ++group)
        sizes[group] = partition.group_size(int(group));
    return sizes;
}

/// Rank r in group r mod `group_count`, as launchers place ranks round-robin.
Partition cyclic(int p, int group_count) {
    std::vector<int> colors(std::size_t(p), 0);
    for (int rank = 0; rank < p; ++rank) colors[std::size_t(rank)] = rank % group_count;
    return from_colors(colors);
}

/// Checks the invariants of a partition against its lists of members alone.
void expect_sound(const Partition& partition) {
    SCOPED_TRACE(to_string(partition));
    const int p = partition.size();
    std::multiset<int> seen;
    int lowest_before = -1;
    std::set<int> group_sizes;
    bool runs = true;
    for (int group = 0; group < partition.group_count(); ++group) {
        const auto members = partition.members(group);
        ASSERT_FALSE(members.empty());
        EXPECT_GT(members[0], lowest_before) << "groups stand in the order of their lowest rank";
        lowest_before = members[0];
        EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
        EXPECT_EQ(partition.group_size(group), int(members.size()));
        group_sizes.insert(int(members.size()));
        runs &= members.back() - members.front() + 1 == int(members.size());
        for (int position = 0; position < int(members.size()); ++position) {
            const int rank = members[std::size_t(position)];
            seen.insert(rank);
            EXPECT_EQ(partition.group_of(rank), group);
            EXPECT_EQ(partition.position_of(rank), position);
            EXPECT_EQ(partition.at(group, position), rank);
        }
    }
    EXPECT_EQ(int(seen.size()), p);
    for (int rank = 0; rank < p; ++rank) EXPECT_EQ(seen.count(rank), 1u) << "rank " << rank;

    EXPECT_EQ(partition.smallest(), *group_sizes.begin());
    EXPECT_EQ(partition.largest(), *group_sizes.rbegin());
    EXPECT_EQ(partition.uniform(), group_sizes.size() == 1);
    EXPECT_EQ(partition.contiguous(), runs);
    EXPECT_EQ(partition.flat(), partition.group_count() == 1 || partition.group_count() == p);

    std::size_t across = 0;
    for (int position = 0; position < partition.largest(); ++position) {
        const std::vector<int> ranks = partition.positions(position);
        across += ranks.size();
        for (std::size_t place = 0; place < ranks.size(); ++place) {
            EXPECT_EQ(partition.position_of(ranks[place]), position);
            EXPECT_EQ(partition.place_across(ranks[place]), int(place));
            const int group_before = place == 0 ? -1 : partition.group_of(ranks[place - 1]);
            EXPECT_LT(group_before, partition.group_of(ranks[place]));
        }
    }
    EXPECT_EQ(across, seen.size()) << "each rank stands at one position";
}

TEST(Partition, NumbersGroupsByTheirLowestRankAndListsRanksInOrder) {
    const Partition partition = from_colors({7, 7, -3, 7, -3, 1 << 30});
    EXPECT_THAT(partition.members(0), ElementsAre(0, 1, 3));
    EXPECT_THAT(partition.members(1), ElementsAre(2, 4));
    EXPECT_THAT(partition.members(2), ElementsAre(5));
    EXPECT_EQ(partition.group_of(4), 1);
    EXPECT_EQ(partition.position_of(4), 1);
    EXPECT_EQ(partition.at(0, 2), 3);
    EXPECT_FALSE(partition.contiguous());
    EXPECT_FALSE(partition.uniform());
    expect_sound(partition);
}

TEST(Partition, IsTheSameValueHoweverItWasMade) {
    const Partition by_color = from_colors({5, 5, 2, 2});
    EXPECT_EQ(by_color, from_colors({0, 0, 9, 9}));
    EXPECT_EQ(by_color, Partition::from_lists({{3, 2}, {1, 0}}));
    EXPECT_EQ(by_color, by_size(4, 2));
    EXPECT_EQ(by_color.hash(), by_size(4, 2).hash());

    EXPECT_NE(by_color, from_colors({5, 2, 5, 2}));
    EXPECT_NE(by_color.hash(), from_colors({5, 2, 5, 2}).hash());
    EXPECT_NE(by_color, by_size(5, 2));
}

TEST(Partition, ListsTheRanksAtAPositionOfGroupsThatAreLargeEnough) {
    // Groups 0 5 6 | 1 | 2 3 4: the group of rank 1 has a leader only.
    const Partition uneven = Partition::from_lists({{0, 5, 6}, {1}, {2, 3, 4}});
    EXPECT_THAT(uneven.positions(0), ElementsAre(0, 1, 2));
    EXPECT_THAT(uneven.positions(1), ElementsAre(5, 3));  // in the order of groups, not of ranks
    EXPECT_THAT(uneven.positions(2), ElementsAre(6, 4));
    EXPECT_THAT(uneven.positions(3), IsEmpty());
    EXPECT_EQ(uneven.place_across(2), 2);
    EXPECT_EQ(uneven.place_across(4), 1);
}

TEST(Partition, KnowsWhetherItKeepsRankOrder) {
    EXPECT_TRUE(from_colors({1, 1, 0, 0, 0}).contiguous());
    EXPECT_TRUE(from_colors({4}).contiguous());
    EXPECT_FALSE(from_colors({1, 0, 1, 0}).contiguous());
    EXPECT_FALSE(from_colors({1, 0, 0, 1}).contiguous());
}

TEST(Partition, PrintsRunsOfRanks) {
    EXPECT_EQ(to_string(by_size(8, 4)), "0-3;4-7");
    EXPECT_EQ(to_string(from_colors({0, 0, 1, 1, 0})), "0-1+4;2-3");
    EXPECT_EQ(to_string(from_colors({0, 1, 0, 1, 2})), "0+2;1+3;4");
    std::ostringstream out;
    out << from_colors({3});
    EXPECT_EQ(out.str(), "0");
}

TEST(Partition, HasEveryRankOnceForAnyColors) {
    unsigned state = 1;
    const auto next = [&state](int below) {
        state = state * 1664525u + 1013904223u;
        return int((state >> 8) % unsigned(below));
    };
    for (int p = 1; p <= most_ranks; ++p) {
        for (int colors = 1; colors <= p; ++colors) {
            std::vector<int> random(std::size_t(p), 0);
            for (int& color : random) color = next(colors) - colors / 2;
            expect_sound(from_colors(random));
            expect_sound(cyclic(p, colors));
            EXPECT_EQ(cyclic(p, colors).group_count(), colors);
        }
    }
}

TEST(Partition, RefusesListsThatDoNotNameEveryRankOnce) {
    const auto lists = [](const std::vector<std::vector<int>>& groups) {
        return Partition::from_lists(groups);
    };
    EXPECT_THAT([&] { lists({{0, 1}, {1, 2}}); }, ThrowsMessage<Error>(HasSubstr("rank 1 twice")));
    EXPECT_THAT(
        [&] {
            lists({{0, 1}, {3}});
        },
        ThrowsMessage<Error>(HasSubstr("3 ranks was given rank 3; name each rank from 0 to 2 once")));
    EXPECT_THAT([&] { lists({{0, -1}}); }, ThrowsMessage<Error>(HasSubstr("rank -1")));
    EXPECT_THAT([&] { lists({{0}, {}}); }, ThrowsMessage<Error>(HasSubstr("empty group")));
    EXPECT_THAT([&] { lists({}); }, ThrowsMessage<Error>(HasSubstr("at least one rank")));
    EXPECT_THAT([&] { from_colors({}); }, ThrowsMessage<Error>(HasSubstr("at least one rank")));
}

TEST(Partition, ServesThousandsOfRanks) {
    const Partition partition = cyclic(4096, 64);
    EXPECT_EQ(partition.group_count(), 64);
    EXPECT_EQ(partition.at(63, 63), 4095);
    EXPECT_EQ(partition.place_across(4095), 63);
    expect_sound(partition);
}

TEST(ByCount, MakesRunsThatDifferByAtMostOne) {
    EXPECT_EQ(to_string(by_count(10, 4)), "0-2;3-5;6-7;8-9");
    for (int p = 1; p <= most_ranks; ++p) {
        for (int group_count = 1; group_count <= p; ++group_count) {
            const Partition partition = by_count(p, group_count);
            expect_sound(partition);
            EXPECT_EQ(partition.size(), p);
            EXPECT_EQ(partition.group_count(), group_count);
            EXPECT_LE(partition.largest() - partition.smallest(), 1);
            EXPECT_EQ(partition.uniform(), p % group_count == 0);
            EXPECT_TRUE(partition.contiguous());
        }
        EXPECT_TRUE(by_count(p, 1).flat());
        EXPECT_TRUE(by_count(p, p).flat());
    }
}

TEST(BySqrt, TakesTheNearestNumberOfGroups) {
    EXPECT_EQ(by_sqrt(12).group_count(), 3);  // sqrt = 3.46
    EXPECT_EQ(by_sqrt(13).group_count(), 4);  // sqrt = 3.61
    EXPECT_EQ(sizes(by_sqrt(8)), (std::vector<int>{3, 3, 2}));
    EXPECT_TRUE(by_sqrt(2).flat());
    for (int p = 1; p <= 4096; ++p) {
        const double root = std::sqrt(double(p));
        const int chosen = echelon::sqrt_group_count(p);
        for (const int other : {chosen - 1, chosen + 1})
            EXPECT_LT(std::abs(chosen - root), std::abs(other - root)) << "p = " << p;
    }
    EXPECT_EQ(echelon::sqrt_group_count(2147483647), 46341);
    for (int p = 1; p <= most_ranks; ++p)
        EXPECT_EQ(by_sqrt(p), by_count(p, echelon::sqrt_group_count(p))) << "p = " << p;
}

TEST(BySize, LeavesTheRestToTheLastGroup) {
    EXPECT_EQ(to_string(by_size(10, 4)), "0-3;4-7;8-9");
    EXPECT_EQ(to_string(by_size(4, 9)), "0-3");
    for (int p = 1; p <= most_ranks; ++p) {
        for (int size = 1; size <= p + 1; ++size) {
            const Partition partition = by_size(p, size);
            expect_sound(partition);
            EXPECT_TRUE(partition.contiguous());
            EXPECT_EQ(partition.group_count(), (p + size - 1) / size);
            for (int group = 0; group + 1 < partition.group_count(); ++group)
                EXPECT_EQ(partition.group_size(group), size);
        }
    }
}

}  // namespace
