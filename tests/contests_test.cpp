// SPDX-License-Identifier: Apache-2.0
/// The tournaments of a communicator whose ranks cannot talk: what was seen travels, and meanwhile nothing is tried. No MPI is called.
#include "cache/contests.hpp"

#include "mpi/clock.hpp"

#include <gtest/gtest.h>
#include <algorithm>

namespace echelon {
namespace {

/// One rank of a program whose bcasts take 1 ms natively, and half of it by the recipe beside.
class Rank {
public:
    /// It comes to a call so long after the root, and is it at 0.
    explicit Rank(Seconds late = 0, Bytes bytes = 4096)
        : late_(late),
          key_{.collective = Collective::bcast,
               .in_order = false,
               .exact = true,
               .root = 0,
               .element_size = 1,
               .count = bytes} {
        contest_ =
            &contests_.begin(CallClasses().of(key_),
                             {{.expected = 1e-3}, {.recipe = Recipe::parse("ring"), .expected = 0.5e-3}},
                             {.share = 0.05, .settlement = 1e-5});
    }
    /// Who ran it.
    std::size_t call() {
        const std::size_t arm = contest_->next();
        contests_.note(key_, *contest_);
        if (contest_->measures)
            contest_->tournament.took(clock_ + late_, clock_ + late_ + (arm == 0 ? 1e-3 : 0.5e-3),
                                      late_ == 0);
        clock_ += 1e-3;
        return arm;
    }
    bool due() const { return contests_.settlement_due(); }
    Contests& contests() { return contests_; }
    Contest& contest() { return *contest_; }
    const PlanKey& key() const { return key_; }

private:
    Seconds late_;
    PlanKey key_;
    CallClasses classes_;
    Contests contests_{5, classes_};
    Contest* contest_ = nullptr;
    double clock_ = 1;
};

std::vector<double> least_of(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::min(a[i], b[i]);
    return a;
}

TEST(Contests, that_are_frozen_run_the_incumbent_until_what_was_seen_is_taken_in) {
    Rank one, other;
    for (int settlements = 0; settlements < 100 && one.contests().finding(one.key()) == nullptr;
         ++settlements) {
        for (int calls = 0; !one.due() && calls < 10'000; ++calls) ASSERT_EQ(one.call(), other.call());
        ASSERT_TRUE(one.due() && other.due());
        (void)one.call(), (void)other.call();  // the ranks write only when they may
        const auto written = least_of(one.contests().freeze(), other.contests().freeze());
        const std::size_t incumbent = one.contest().tournament.incumbent();
        for (int i = 0; i < 50; ++i) {
            EXPECT_EQ(one.call(), incumbent);
            EXPECT_FALSE(one.contest().measures);
            EXPECT_EQ(other.call(), incumbent);
        }
        const auto found = one.contests().take_in(written);
        EXPECT_EQ(other.contests().take_in(written), found);
        EXPECT_FALSE(one.due());
    }
    const Outcome* const found = one.contests().finding(one.key());
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(to_string(found->recipe), "ring");
    EXPECT_NEAR(found->seconds / found->native, 0.5, 0.01);
}

/// Its calls go on until something is found, with the last times on their way.
void find(Rank& rank) {
    for (int settlements = 0; settlements < 100 && rank.contests().finding(rank.key()) == nullptr;
         ++settlements) {
        for (int calls = 0; !rank.due() && calls < 10'000; ++calls) (void)rank.call();
        (void)rank.contests().take_in(rank.contests().freeze());
    }
}

// After a brief look at the machine all that trials had found was lost.
TEST(Contests, begin_again_but_where_something_is_faster_than_native) {
    Rank won(0, 4096);
    find(won);
    ASSERT_NE(won.contests().finding(won.key()), nullptr);
    EXPECT_EQ(to_string(won.contests().finding(won.key())->recipe), "ring");
    won.contests().begin_again();
    ASSERT_NE(won.contests().finding(won.key()), nullptr);
    const CallClass calls = CallClasses().of(won.key());
    ASSERT_NE(won.contests().find(calls), nullptr) << "the winner is watched as before";
    EXPECT_FALSE(won.due());
    int tried = 0;
    for (int i = 0; i < 10'000 && !won.due(); ++i) tried += won.call() == 0 ? 1 : 0;
    EXPECT_GT(tried, 0) << "native runs beside it now and then";

    Rank open(0, 4096);
    for (int i = 0; i < 10; ++i) (void)open.call();
    open.contests().begin_again();
    EXPECT_EQ(open.contests().find(calls), nullptr);
}

TEST(Contests, where_all_can_answer_say_first_when_the_root_came) {
    constexpr Seconds early = -0.25e-3;
    Rank root, other(early);
    for (Rank* const rank : {&root, &other}) rank->contests().set_clock_shared(true);
    const auto all = [&](auto say) { return least_of(say(root.contests()), say(other.contests())); };
    for (int settlements = 0; settlements < 100 && root.contests().finding(root.key()) == nullptr;
         ++settlements) {
        for (int calls = 0; !root.due() && calls < 10'000; ++calls) ASSERT_EQ(root.call(), other.call());
        const auto roots = all([](Contests& one) { return one.freeze_with_roots(); });
        for (Rank* const rank : {&root, &other}) {
            EXPECT_TRUE(rank->contests().awaits_roots());
            (void)rank->call();
            EXPECT_FALSE(rank->contest().measures);
        }
        const auto written = all([&](Contests& one) { return one.go_on(roots); });
        EXPECT_FALSE(root.contests().awaits_roots());
        EXPECT_EQ(root.contests().take_in(written), other.contests().take_in(written));
    }
    // Who came early has waited a quarter of a millisecond for the root.
    ASSERT_NE(other.contests().finding(other.key()), nullptr);
    EXPECT_EQ(to_string(other.contests().finding(other.key())->recipe), "ring");
    EXPECT_NEAR(other.contests().finding(other.key())->native, 1e-3, 1e-6);
}

TEST(Contests, that_come_up_while_others_travel_wait_for_the_next_time) {
    Rank rank;
    while (!rank.due()) rank.call();
    const std::vector<double> written = rank.contests().freeze();
    PlanKey longer = rank.key();
    longer.count = Bytes(1) << 20;
    Contest& later = rank.contests().begin(
        CallClasses().of(longer), {{.expected = 1e-3}, {.recipe = Recipe::parse("ring"), .expected = 0.5e-3}},
        {.share = 0.05, .settlement = 1e-5});
    for (double clock = 1; !later.waits; clock += 1e-3) {
        (void)later.next();
        rank.contests().note(longer, later);
        if (later.measures) later.tournament.took(clock, clock + 1e-3);
    }
    rank.contests().take_in(written);
    EXPECT_TRUE(rank.due());
    EXPECT_TRUE(later.waits);
    EXPECT_FALSE(rank.contest().waits);
    rank.contests().take_in(rank.contests().freeze());
    EXPECT_FALSE(rank.due());
}

}  // namespace
}  // namespace echelon
