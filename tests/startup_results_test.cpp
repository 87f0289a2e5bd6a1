// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/startup_results.hpp"

#include <gtest/gtest.h>

#include <array>

namespace echelon {
namespace {

constexpr Seconds us = 1e-6;

using Kind = StartupResult::Kind;

/// Results of kind `kind`.
std::vector<StartupResult> of_kind(Kind kind, std::vector<StartupResult> found) {
    std::erase_if(found, [&](const StartupResult& one) { return one.kind != kind; });
    return found;
}

TEST(Leads, go_from_one_size_to_the_next_where_shared_memory_leads_at_both) {
    const std::array raced{Raced{64, {2 * us, 1 * us}}, Raced{256, {8 * us, 4 * us}},
                           Raced{1024, {10 * us, 9.5 * us}}, Raced{4096, {100 * us, 1 * us}}};
    const auto found = of_kind(Kind::seen, results_of(raced));
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].sizes, (ByteRange{0, 64}));
    EXPECT_EQ(found[1].sizes, (ByteRange{65, 128}));
    EXPECT_EQ(found[2].sizes, (ByteRange{129, 256}));
    EXPECT_EQ(found[3].sizes, (ByteRange{4097, 8192}));
    // A third of the way from 64 to 256.
    EXPECT_NEAR(found[1].pace.native, 4 * us, 1e-12);
    EXPECT_NEAR(found[1].pace.shared, 2 * us, 1e-12);
    EXPECT_EQ(found[2].pace.shared, 4 * us);
}

TEST(Leads, go_twice_as_far_where_the_last_is_led_by_far) {
    const std::array raced{Raced{64, {2 * us, 1 * us}}, Raced{100, {8 * us, 4 * us}}};
    const auto found = results_of(raced);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[2].sizes, (ByteRange{101, 200}));
    EXPECT_EQ(found[2].pace.native, 16 * us);
    EXPECT_EQ(found[2].kind, Kind::seen);
}

TEST(Leads, of_longer_vectors_are_hoped_for_where_the_last_leads) {
    const auto by_far = results_of(std::array{Raced{64, {8 * us, 4 * us}}});
    ASSERT_EQ(by_far.size(), 3u);
    EXPECT_EQ(by_far.back().sizes, (ByteRange{129}));
    EXPECT_EQ(by_far.back().pace.shared, 8 * us);
    EXPECT_EQ(by_far.back().kind, Kind::hoped);
    const auto somewhat = results_of(std::array{Raced{8, {1, 1}}, Raced{64, {10 * us, 8 * us}}}).back();
    EXPECT_EQ(somewhat.sizes, (ByteRange{65}));
    EXPECT_EQ(somewhat.pace.shared, 8 * us);
    EXPECT_EQ(somewhat.kind, Kind::hoped);
}

// Long bcasts stayed native for hundreds of calls, although shared memory wins if they follow one another.
TEST(Leads, of_long_vectors_are_hoped_for_where_one_leads_and_shorter_ones_do_not) {
    const std::array raced{Raced{64, {2 * us, 1 * us}}, Raced{256, {8 * us, 9 * us}}};
    EXPECT_TRUE(of_kind(Kind::hoped, results_of(raced)).empty());
    const auto found = of_kind(Kind::hoped, results_of(raced, Raced{4096, {100 * us, 60 * us}}));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].sizes, (ByteRange{2049}));
    EXPECT_EQ(found[0].pace.native, 50 * us);
    EXPECT_EQ(found[0].pace.shared, 30 * us);
    EXPECT_TRUE(of_kind(Kind::hoped, results_of(raced, Raced{4096, {100 * us, 99 * us}})).empty());
}

// Running calls ignored a lost start-up benchmark: they assumed twice native's time and saved for it for
// hundreds of calls.
TEST(Leads, that_were_lost_are_known_and_as_bad_as_at_the_worse_of_two_neighbours) {
    const std::array raced{Raced{64, {2 * us, 1 * us}}, Raced{256, {8 * us, 12 * us}}};
    const auto found = of_kind(Kind::lost, results_of(raced, Raced{1024, {40 * us, 20 * us}}));
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].sizes, (ByteRange{65, 128}));
    EXPECT_EQ(found[2].sizes, (ByteRange{257, 512}));
    for (const StartupResult& one : found) EXPECT_NEAR(one.pace.ratio(), 1.5, 1e-9);
    EXPECT_NEAR(found[0].pace.native, 4 * us, 1e-12);
    const auto worse = of_kind(Kind::lost, results_of(raced, Raced{1024, {40 * us, 80 * us}}));
    ASSERT_EQ(worse.size(), 4u);
    EXPECT_EQ(worse.back().sizes, (ByteRange{513, 1024}));
    EXPECT_NEAR(worse.back().pace.ratio(), 2, 1e-9);
}

TEST(Leads, have_no_size_twice_and_leave_none_out) {
    for (const Seconds shared : {100, 250}) {
        const std::array raced{Raced{64, {2, 1}}, Raced{1000, {20, 10}}, Raced{70'000, {200, shared}}};
        Bytes next = 0;
        for (const StartupResult& one :
             results_of(raced, shared > 200 ? std::optional(Raced{300'000, {800, 400}}) : std::nullopt)) {
            EXPECT_EQ(one.sizes.from, next);
            EXPECT_EQ(one.kind == Kind::lost, !one.pace.leads());
            EXPECT_EQ(one.kind == Kind::hoped, one.sizes == ByteRange{one.sizes.from});
            next = one.sizes.to + 1;
        }
        EXPECT_EQ(next, 0u);
    }
}

TEST(Leads, are_unknown_where_nothing_was_raced_and_beyond_a_lost_race) {
    EXPECT_TRUE(results_of({}).empty());
    const std::array lost{Raced{64, {1, 1}}, Raced{1024, {10, 9.5}}};
    EXPECT_EQ(results_of(lost).back().sizes.to, 1024u);
    EXPECT_EQ(of_kind(Kind::lost, results_of(lost)).size(), results_of(lost).size());
    const std::array one{Raced{64, {1, 1}}, Raced{1024, {10, 1}}, Raced{2048, {1, 1}}};
    EXPECT_EQ(of_kind(Kind::lost, results_of(one)).size(), results_of(one).size()) << "neighbours lose";
    // A barrier has a single size.
    const auto barrier = results_of(std::array{Raced{0, {2, 1}}});
    ASSERT_EQ(barrier.size(), 1u);
    EXPECT_EQ(barrier[0].sizes, (ByteRange{0, 0}));
}

}  // namespace
}  // namespace echelon
