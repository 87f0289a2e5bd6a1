// SPDX-License-Identifier: Apache-2.0
/// Trials of a communicator whose ranks cannot communicate at once: timings travel asynchronously, and no arm
/// is tried until they arrive. Calls no MPI.
#include "tuner/trials.hpp"

#include "mpi/clock.hpp"

#include <gtest/gtest.h>
#include <algorithm>

namespace echelon {
namespace {

/// One rank of a program whose bcasts take 1 ms natively and half of that by the challenger.
class Rank {
public:
    /// The rank enters each call `late` seconds after the root; the root has 0.
    explicit Rank(Seconds late = 0)
        : late_(late),
          key_{.collective = Collective::bcast,
               .in_order = false,
               .exact = true,
               .root = 0,
               .element_size = 1,
               .count = 4096} {
        trial_ = &trials_.begin(CallClasses().of(key_),
                                {{.expected = 1e-3}, {.recipe = Recipe::parse("ring"), .expected = 0.5e-3}},
                                {.share = 0.05, .exchange = 1e-5});
    }
    /// Runs one call and returns its arm.
    std::size_t call() {
        const std::size_t arm = trial_->next();
        trials_.note(key_, *trial_);
        if (trial_->measures)
            trial_->tournament.took(clock_ + late_, clock_ + late_ + (arm == 0 ? 1e-3 : 0.5e-3), late_ == 0);
        clock_ += 1e-3;
        return arm;
    }
    bool due() const { return trials_.exchange_due(); }
    Trials& trials() { return trials_; }
    Trial& trial() { return *trial_; }
    const PlanKey& key() const { return key_; }

private:
    Seconds late_;
    PlanKey key_;
    CallClasses classes_;
    Trials trials_{5, classes_};
    Trial* trial_ = nullptr;
    double clock_ = 1;
};

std::vector<double> least_of(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::min(a[i], b[i]);
    return a;
}

TEST(Trials, that_are_frozen_run_the_incumbent_until_what_was_seen_is_taken_in) {
    Rank one, other;
    for (int settlements = 0; settlements < 100 && one.trials().finding(one.key()) == nullptr;
         ++settlements) {
        for (int calls = 0; !one.due() && calls < 10'000; ++calls) ASSERT_EQ(one.call(), other.call());
        ASSERT_TRUE(one.due() && other.due());
        (void)one.call(), (void)other.call();  // the ranks exchange timings only in calls that allow it
        const auto written = least_of(one.trials().freeze(), other.trials().freeze());
        const std::size_t incumbent = one.trial().tournament.incumbent();
        for (int i = 0; i < 50; ++i) {
            EXPECT_EQ(one.call(), incumbent);
            EXPECT_FALSE(one.trial().measures);
            EXPECT_EQ(other.call(), incumbent);
        }
        const auto found = one.trials().take_in(written);
        EXPECT_EQ(other.trials().take_in(written), found);
        EXPECT_FALSE(one.due());
    }
    const Outcome* const found = one.trials().finding(one.key());
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(to_string(found->recipe), "ring");
    EXPECT_NEAR(found->seconds / found->native, 0.5, 0.01);
}

TEST(Trials, where_all_can_answer_say_first_when_the_root_came) {
    constexpr Seconds early = -0.25e-3;
    Rank root, other(early);
    for (Rank* const rank : {&root, &other}) rank->trials().set_clock_shared(true);
    const auto all = [&](auto say) { return least_of(say(root.trials()), say(other.trials())); };
    for (int settlements = 0; settlements < 100 && root.trials().finding(root.key()) == nullptr;
         ++settlements) {
        for (int calls = 0; !root.due() && calls < 10'000; ++calls) ASSERT_EQ(root.call(), other.call());
        const auto roots = all([](Trials& one) { return one.freeze_with_roots(); });
        for (Rank* const rank : {&root, &other}) {
            EXPECT_TRUE(rank->trials().awaits_roots());
            (void)rank->call();
            EXPECT_FALSE(rank->trial().measures);
        }
        const auto written = all([&](Trials& one) { return one.go_on(roots); });
        EXPECT_FALSE(root.trials().awaits_roots());
        EXPECT_EQ(root.trials().take_in(written), other.trials().take_in(written));
    }
    // The early rank has waited a quarter of a millisecond for the root.
    ASSERT_NE(other.trials().finding(other.key()), nullptr);
    EXPECT_EQ(to_string(other.trials().finding(other.key())->recipe), "ring");
    EXPECT_NEAR(other.trials().finding(other.key())->native, 1e-3, 1e-6);
}

TEST(Trials, that_come_up_while_others_travel_wait_for_the_next_time) {
    Rank rank;
    while (!rank.due()) rank.call();
    const std::vector<double> written = rank.trials().freeze();
    PlanKey longer = rank.key();
    longer.count = Bytes(1) << 20;
    Trial& later = rank.trials().begin(
        CallClasses().of(longer), {{.expected = 1e-3}, {.recipe = Recipe::parse("ring"), .expected = 0.5e-3}},
        {.share = 0.05, .exchange = 1e-5});
    for (double clock = 1; !later.due; clock += 1e-3) {
        (void)later.next();
        rank.trials().note(longer, later);
        if (later.measures) later.tournament.took(clock, clock + 1e-3);
    }
    rank.trials().take_in(written);
    EXPECT_TRUE(rank.due());
    EXPECT_TRUE(later.due);
    EXPECT_FALSE(rank.trial().due);
    rank.trials().take_in(rank.trials().freeze());
    EXPECT_FALSE(rank.due());
}

}  // namespace
}  // namespace echelon
