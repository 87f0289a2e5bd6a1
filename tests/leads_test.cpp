// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/leads.hpp"

#include <gtest/gtest.h>

#include <array>

namespace echelon {
namespace {

constexpr Seconds us = 1e-6;

TEST(Leads, go_from_one_size_to_the_next_where_shared_memory_leads_at_both) {
    const std::array raced{Raced{64, {2 * us, 1 * us}}, Raced{256, {8 * us, 4 * us}},
                           Raced{1024, {10 * us, 9.5 * us}}, Raced{4096, {100 * us, 1 * us}}};
    const auto found = leads_of(raced);
    ASSERT_EQ(found.size(), 5u);
    EXPECT_EQ(found[3].sizes, (ByteRange{4097, 8192}));
    EXPECT_EQ(found[0].sizes, (ByteRange{0, 64}));
    EXPECT_EQ(found[1].sizes, (ByteRange{65, 128}));
    EXPECT_EQ(found[2].sizes, (ByteRange{129, 256}));
    // A third of the way from 64 to 256.
    EXPECT_NEAR(found[1].pace.native, 4 * us, 1e-12);
    EXPECT_NEAR(found[1].pace.shared, 2 * us, 1e-12);
    EXPECT_EQ(found[2].pace.shared, 4 * us);
}

TEST(Leads, go_twice_as_far_where_the_last_is_led_by_far) {
    const std::array raced{Raced{64, {2 * us, 1 * us}}, Raced{100, {8 * us, 4 * us}}};
    const auto found = leads_of(raced);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[2].sizes, (ByteRange{101, 200}));
    EXPECT_EQ(found[2].pace.native, 16 * us);
    EXPECT_TRUE(found[2].seen);
}

TEST(Leads, of_longer_vectors_are_hoped_for_where_the_last_leads) {
    const auto by_far = leads_of(std::array{Raced{64, {8 * us, 4 * us}}});
    ASSERT_EQ(by_far.size(), 3u);
    EXPECT_EQ(by_far.back().sizes, (ByteRange{129}));
    EXPECT_EQ(by_far.back().pace.shared, 8 * us);
    EXPECT_FALSE(by_far.back().seen);
    const auto somewhat = leads_of(std::array{Raced{8, {1, 1}}, Raced{64, {10 * us, 8 * us}}});
    ASSERT_EQ(somewhat.size(), 1u);
    EXPECT_EQ(somewhat[0].sizes, (ByteRange{65}));
    EXPECT_EQ(somewhat[0].pace.shared, 8 * us);
    EXPECT_FALSE(somewhat[0].seen);
}

// Long bcasts were native for their first hundreds of calls, since those of 64 KB gain where they follow one another alone.
TEST(Leads, of_long_vectors_are_hoped_for_where_one_leads_and_shorter_ones_do_not) {
    const std::array raced{Raced{64, {2 * us, 1 * us}}, Raced{256, {8 * us, 9 * us}}};
    EXPECT_EQ(leads_of(raced).size(), 1u);
    const auto found = leads_of(raced, Raced{4096, {100 * us, 60 * us}});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[1].sizes, (ByteRange{2049}));
    EXPECT_EQ(found[1].pace.native, 50 * us);
    EXPECT_EQ(found[1].pace.shared, 30 * us);
    EXPECT_FALSE(found[1].seen);
    EXPECT_EQ(leads_of(raced, Raced{4096, {100 * us, 99 * us}}).size(), 1u);
}

TEST(Leads, have_no_size_twice_and_leave_none_out) {
    const std::array raced{Raced{64, {2, 1}}, Raced{1000, {20, 10}}, Raced{70'000, {200, 100}}};
    Bytes next = 0;
    for (const Lead& one : leads_of(raced)) {
        EXPECT_EQ(one.sizes.from, next);
        EXPECT_TRUE(one.pace.leads());
        EXPECT_EQ(one.seen, one.sizes.to <= 140'000);
        next = one.sizes.to + 1;
    }
    EXPECT_EQ(next, 0u);
}

TEST(Leads, are_none_where_nothing_was_raced_or_one_of_two_neighbours_loses) {
    EXPECT_TRUE(leads_of({}).empty());
    EXPECT_TRUE(leads_of(std::array{Raced{64, {1, 1}}, Raced{1024, {10, 9.5}}}).empty());
    EXPECT_TRUE(leads_of(std::array{Raced{64, {1, 1}}, Raced{1024, {10, 1}}, Raced{2048, {1, 1}}}).empty());
    // A barrier has no longer ones.
    const auto barrier = leads_of(std::array{Raced{0, {2, 1}}});
    ASSERT_EQ(barrier.size(), 1u);
    EXPECT_EQ(barrier[0].sizes, (ByteRange{0, 0}));
}

}  // namespace
}  // namespace echelon
