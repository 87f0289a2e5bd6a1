// SPDX-License-Identifier: Apache-2.0
// Trials in running calls: choice of the arm, its cost, the verdict. Works on times alone and calls no MPI.
#include "bench/simulated_class.hpp"

#include <gtest/gtest.h>
#include <cmath>

namespace echelon {
namespace {

using Measure = Tournament::Measure;
using Verdict = Tournament::Verdict;

/// Native and other arms with these expected times.
std::vector<Tournament::Arm> arms(const std::vector<Seconds>& expected) {
    std::vector<Tournament::Arm> made;
    for (const Seconds one : expected)
        made.push_back({.recipe = made.empty() ? Recipe() : Recipe::parse("ring"), .expected = one});
    return made;
}

/// A program on one rank whose calls take `takes`, with a record of its calls.
struct Program {
    Tournament& tournament;
    std::vector<double> takes;
    std::vector<long> calls = std::vector<long>(takes.size());
    std::vector<Verdict> verdicts = {};
    double seconds = 0;

    void run(long count) {
        for (long i = 0; i < count; ++i) {
            if (tournament.exchange_due())
                verdicts.push_back(tournament.evaluate(tournament.own_numbers(tournament.own_roots())));
            const std::size_t arm = tournament.next();
            ++calls[arm];
            tournament.took(seconds, seconds + takes[arm]);
            seconds += takes[arm];
        }
    }
};

TEST(Tournament, finds_the_fastest_and_keeps_it) {
    Tournament tournament(arms({1, 0.8, 0.5, 0.9}), {});
    Program program{tournament, {1, 0.9, 0.5, 1.5}};
    program.run(1000);
    EXPECT_TRUE(tournament.concluded());
    EXPECT_EQ(tournament.incumbent(), 2u);
    EXPECT_NEAR(tournament.seconds(), 0.5, 1e-6);
    EXPECT_NEAR(*tournament.ratio(0), 2, 0.1) << "native over the winner";
    EXPECT_GT(program.calls[2], 900);
}

// Every call was inspected and timed while the account saved for an exchange of timings: short calls took
// twice as long.
TEST(Tournament, looks_at_no_call_while_it_saves_for_a_settlement) {
    Tournament tournament(arms({1, 0.8}), {});
    Program program{tournament, {1, 0.8}};
    while (program.verdicts.empty()) program.run(1);
    tournament.exchanges_take(1000, 0);
    program.run(500);
    EXPECT_EQ(program.verdicts.size(), 1u);
    EXPECT_FALSE(tournament.exchange_due());
    EXPECT_GT(tournament.idle(), 100);
}

// An exchange of timings that costs several calls was not affordable for hundreds of calls.
TEST(Tournament, settles_in_rounds_what_it_cannot_pay_at_once) {
    const auto calls_until_due = [](std::optional<Seconds> rounds) {
        Tournament tournament(arms({1, 0.4}), {.exchange = 4, .rounds = rounds});
        long calls = 0;
        for (; !tournament.exchange_due(); ++calls) (void)tournament.next();
        EXPECT_EQ(tournament.affords_at_once(), !rounds);
        return calls;
    };
    const long in_rounds = calls_until_due(0.01), at_once = calls_until_due(std::nullopt);
    EXPECT_LT(in_rounds, 20);
    EXPECT_GT(at_once, 100);

    // An exchange in rounds is also cheaper: the next arm starts earlier.
    const auto calls_until_tried = [](Tournament::Way way) {
        Tournament tournament(arms({1, 1.5}), {.exchange = 4, .rounds = 0.01});
        const auto call = [&] {
            const std::size_t arm = tournament.next();
            tournament.took(0, 1);
            return arm;
        };
        while (!tournament.exchange_due()) call();
        tournament.evaluate(tournament.own_numbers({}), way);
        long calls = 1;
        while (call() == 0) ++calls;
        return calls;
    };
    EXPECT_LT(calls_until_tried(Tournament::Way::in_rounds), 20);
    EXPECT_GT(calls_until_tried(Tournament::Way::at_once), 60);
}

// Native always went first, even right after it was measured: a rank on a busy machine waited for a processor
// again and again.
TEST(Tournament, lets_native_wait_where_it_was_seen_just_now) {
    for (const bool seen : {false, true}) {
        auto two = arms({1, 20});
        two[0].recipe = Recipe::parse("shm");
        two[1].recipe = Recipe();
        two[1].seen = seen;
        Tournament tournament(std::move(two), {});
        Program program{tournament, {1, 20}};
        program.run(200);
        EXPECT_EQ(program.calls[1] == 0, seen);
        program.run(2000);
        EXPECT_GT(program.calls[1], 0) << "it is compared when the calls have paid for it";
        EXPECT_EQ(tournament.incumbent(), 0u);
    }
}

// Native ran early although a calibrated model knew it to be much slower.
TEST(Tournament, lets_native_wait_where_a_compared_model_is_sure) {
    const auto natives = [](double ratio, bool calibrated, long calls) {
        auto two = arms({1, ratio});
        two[0].recipe = Recipe::parse("shm");
        two[1].recipe = Recipe();
        Tournament tournament(std::move(two), {.calibrated = calibrated});
        Program program{tournament, {1, ratio}};
        program.run(calls);
        return program.calls[1];
    };
    EXPECT_EQ(natives(3.4, true, 100), 0);
    EXPECT_GT(natives(3.4, true, 1000), 0);
    EXPECT_GT(natives(1.5, true, 100), 0) << "so far off it may be";
    EXPECT_GT(natives(3.4, false, 100), 0) << "built-in machines know little of native";
}

// A profile overestimated native's time by a factor of a thousand: native was never tried, and calls stayed
// slow.
TEST(Tournament, tries_native_some_day_whatever_was_said_of_it) {
    std::vector<Tournament::Arm> two = arms({1000, 1});
    two[0].seen = true;
    std::swap(two[0], two[1]);
    Tournament tournament(two, {});
    Program program{tournament, {2, 1}};
    program.run(1000);
    EXPECT_EQ(tournament.incumbent(), 1u) << "native";
    EXPECT_LT(program.calls[0], 500);
}

TEST(Tournament, gives_up_at_once_who_takes_twice_as_long) {
    Tournament tournament(arms({1, 0.5}), {});
    Program program{tournament, {1, 2.1}};
    program.run(500);
    EXPECT_EQ(program.calls[1], 2) << "one to make what it needs, one that is judged";
    EXPECT_EQ(tournament.incumbent(), 0u);
}

// The budget counted trials, not time: a slow challenger ran as often as a close one.
TEST(Tournament, spends_no_more_than_its_share) {
    for (const double share : {0.01, 0.05, 0.2})
        for (const double slower : {1.05, 1.3, 1.9}) {
            Tournament tournament(arms({1, 1, 1, 1, 1}), {.share = share});
            Program program{tournament, {1, slower, slower, slower, slower}};
            constexpr double rounding = 1e-9;
            for (long calls = 0; calls < 2000; calls += 20) {
                program.run(20);
                EXPECT_LE(program.seconds, (1 + share) * double(calls + 20) + rounding);
                if (calls == 0) {
                    EXPECT_LE(program.seconds, 1.02 * 20);
                }
            }
            EXPECT_EQ(tournament.incumbent(), 0u);
            EXPECT_GT(program.calls[1], 0) << "it was tried at all";
        }
}

TEST(Tournament, pays_for_first_calls_before_it_makes_them) {
    auto costly = arms({1, 0.5});
    costly[1].setup = 10;
    Tournament tournament(costly, {});
    Program program{tournament, {1, 0.5}};
    program.run(200);
    EXPECT_EQ(program.calls[1], 0) << "2 % of 200 calls do not pay for 10";
    program.run(2000);
    EXPECT_EQ(tournament.incumbent(), 1u);
}

TEST(Tournament, spends_at_first_what_it_is_told) {
    auto costly = arms({1, 0.5});
    costly[1].setup = 3;
    for (const double share : {0.02, 0.01}) {
        Tournament tournament(costly, {.first_share = share});
        Program program{tournament, {1, 0.5}};
        program.run(200);
        EXPECT_EQ(program.calls[1] > 0, share == 0.02) << "for 3 calls 200 pay by 4 or by 2";
        program.run(2000);
        EXPECT_EQ(tournament.incumbent(), 1u) << "afterwards they are alike";
    }
}

// In calls that do not synchronise, the communicators of all challengers were made before the first of them
// ran.
TEST(Tournament, has_made_what_a_challenger_needs_when_that_is_paid) {
    auto costly = arms({1, 0.5});
    costly[1].setup = 2;
    Tournament tournament(costly, {});
    Program program{tournament, {1, 0.5}};
    long calls = 0;
    for (; tournament.next() == 0 && calls < 1000; ++calls) tournament.took(0, 1);
    EXPECT_GT(calls, 90) << "2 % of 100 calls pay for 2";
    tournament.postpone();
    tournament.took(0, 1);
    program.run(300);
    EXPECT_EQ(program.calls[1], 0) << "it is not made yet";
    tournament.resume();
    program.run(300);
    EXPECT_EQ(tournament.incumbent(), 1u) << "it was paid for once";
}

TEST(Tournament, does_not_try_early_what_should_be_slow) {
    Tournament tournament(arms({1, 6}), {});
    Program program{tournament, {1, 0.5}};
    program.run(200);
    EXPECT_EQ(program.calls[1], 0);
    program.run(2000);
    EXPECT_EQ(tournament.incumbent(), 1u) << "but in the end: the model was wrong";
}

// An unclear lead replaced the incumbent.
TEST(Tournament, keeps_the_incumbent_where_it_is_unclear) {
    Tournament tournament(arms({1, 0.9}), {});
    Program program{tournament, {1, 1}};
    for (long i = 0; i < 4000; ++i) {
        program.takes[1] = i % 3 == 0 ? 0.9 : 1.05;
        program.run(1);
    }
    EXPECT_EQ(tournament.incumbent(), 0u);
    EXPECT_TRUE(tournament.concluded());
    EXPECT_EQ(program.verdicts.back() == Verdict::replaced, false);
}

TEST(Tournament, asks_less_of_who_won_elsewhere) {
    const auto calls_until_replaced = [](bool known) {
        auto two = arms({1, 0.6});
        two[1].known = known;
        Tournament tournament(two, {});
        Program program{tournament, {1, 0.6}};
        long calls = 0;
        for (; tournament.incumbent() == 0 && calls < 1000; ++calls) program.run(1);
        return calls;
    };
    EXPECT_LT(calls_until_replaced(true), calls_until_replaced(false));
    EXPECT_LT(calls_until_replaced(false), 100);
}

TEST(Tournament, goes_on_without_who_cannot_serve) {
    Tournament tournament(arms({1, 0.4, 0.6}), {});
    tournament.drop(1);
    Program program{tournament, {1, 0.4, 0.6}};
    program.run(1000);
    EXPECT_EQ(program.calls[1], 0);
    EXPECT_EQ(tournament.incumbent(), 2u);
}

// A challenger ran in every tenth call: in a program whose every other call takes longer it met only the
// shorter ones, and won although it was slower.
TEST(Tournament, is_fair_in_programs_with_a_rhythm) {
    for (const long period : {1, 2, 3, 6}) {
        Tournament tournament(arms({1, 0.9}), {.share = 0.1});
        Program program{tournament, {1, 1.1}};
        for (long i = 0; i < 3000; ++i) {
            const double waiting = i % period == 0 ? 10 : 0;
            program.takes = {1 + waiting, 1.1 + waiting};
            program.run(1);
        }
        EXPECT_EQ(tournament.incumbent(), 0u) << "a rhythm of " << period;
        EXPECT_GT(program.calls[1], 3);
    }
}

TEST(Tournament, opens_again_when_the_winner_is_the_best_no_more) {
    Tournament tournament(arms({1, 0.5}), {});
    Program program{tournament, {1, 0.5}};
    program.run(500);
    ASSERT_EQ(tournament.incumbent(), 1u);
    program.takes = {1, 1.8};
    program.run(20000);
    EXPECT_EQ(tournament.incumbent(), 0u);
    EXPECT_NE(std::find(program.verdicts.begin(), program.verdicts.end(), Verdict::reopened),
              program.verdicts.end());
}

TEST(Tournament, watches_for_less_than_a_hundredth) {
    Tournament tournament(arms({1, 0.5}), {});
    Program program{tournament, {1, 0.5}};
    program.run(500);
    ASSERT_TRUE(tournament.concluded());
    const double before = program.seconds;
    program.run(10000);
    EXPECT_LE(program.seconds - before, 1.01 * 0.5 * 10000);
    EXPECT_GT(program.calls[0], 50);
}

// Trials compared the longest stay in a call: the late rank decided.
TEST(Tournament, finds_the_fastest_whenever_ranks_come) {
    const struct {
        Flow flow;
        Measure measure;
    } kinds[] = {{Flow::synchronising, Measure::last_delay},
                 {Flow::synchronising, Measure::shortest_stay},
                 {Flow::from_root, Measure::behind_root},
                 {Flow::to_root, Measure::last_delay}};
    for (const auto& kind : kinds)
        for (const double lateness : {0.0, 0.1, 1.0, 10.0}) {
            const SimulatedClass calls{.flow = kind.flow,
                                       .measure = kind.measure,
                                       .takes = {1, 1.2, 0.5, 0.9},
                                       .expected = {1, 0.8, 0.6, 0.6},
                                       .setup = {0, 2, 2, 0},
                                       .exchange = 0.2,
                                       .lateness = lateness};
            int found = 0;
            constexpr int programs = 10;
            for (std::uint64_t seed = 0; seed < programs; ++seed)
                found += run(calls, {3000}, 0.05, seed).back().last_arm == 2 ? 1 : 0;
            // Late ranks without a common clock see little: native stays more often.
            const bool hidden = kind.measure == Measure::shortest_stay && lateness == 10;
            EXPECT_GE(found, hidden ? 6 : 8)
                << int(kind.flow) << ' ' << int(kind.measure) << " over " << lateness;
        }
}

// Calls that are not inspected cost nothing and change nothing.
TEST(Tournament, goes_the_same_way_where_idle_calls_are_not_looked_at) {
    for (const double shm : {0.3, 1.0, 1.5}) {
        auto costly = arms({1, 1.2, 0});
        costly[2].setup = 60;
        Tournament looked_at(costly, {.share = 0.05, .exchange = 2, .warm_up = 5}), idle = looked_at;
        const std::vector<double> takes{1, 1.4, shm};
        Program all{looked_at, takes}, some{idle, takes};
        long looks = 0;
        for (long calls = 0; calls < 20000; ++calls, ++looks) {
            if (const long granted = idle.idle(); granted > 0) {
                idle.pass(granted);
                some.calls[idle.incumbent()] += granted;
                some.seconds += double(granted) * takes[idle.incumbent()];
                all.run(granted);
                calls += granted;
            }
            all.run(1);
            some.run(1);
        }
        // Sums of many small incomes round differently: a challenger may come a call later.
        EXPECT_EQ(all.verdicts, some.verdicts);
        EXPECT_NEAR(all.seconds, some.seconds, 0.01 * all.seconds);
        EXPECT_EQ(idle.incumbent(), looked_at.incumbent());
        EXPECT_EQ(idle.incumbent(), shm < 1 ? 2u : 0u);
        EXPECT_LT(looks, 4000) << shm;
    }
}

/// Lengths of the visits of a shared-memory challenger until it wins. The first calls of a visit are cold.
struct Visits {
    Tournament tournament{arms({1, 1.2}), {.warm_up = 5}};
    std::vector<int> lengths = {};
    long calls = 0;

    /// `takes(calls)`: time of call number `calls` of a visit, counted from 1.
    template <class Takes>
    void run(const Takes& takes) {
        int in_a_row = 0;
        for (; calls < 1000 && tournament.incumbent() == 0 && !tournament.concluded(); ++calls) {
            if (tournament.exchange_due())
                tournament.evaluate(tournament.own_numbers(tournament.own_roots()));
            if (tournament.next() == 0) {
                if (tournament.measures()) tournament.took(double(calls), double(calls) + 1);
                continue;
            }
            const double took = takes(++in_a_row);
            if (!tournament.measures()) continue;
            tournament.took(double(calls), double(calls) + took);
            lengths.push_back(std::exchange(in_a_row, 0));
        }
    }
};

TEST(Tournament, judges_the_last_of_several_calls_where_caches_decide) {
    Visits visits;
    visits.run([](int calls) { return calls < 6 ? 5 : 0.5; });
    EXPECT_EQ(visits.tournament.incumbent(), 1u);
    EXPECT_EQ(visits.lengths, (std::vector{2, 6, 6, 6})) << "the first, which is cold, is not believed";
}

TEST(Tournament, goes_on_at_once_where_the_second_call_is_faster_already) {
    Visits visits;
    visits.run([](int calls) { return calls < 2 ? 2 : calls < 6 ? 0.8 : 0.5; });
    Visits cold;
    cold.run([](int calls) { return calls < 6 ? 1.2 : 0.5; });
    EXPECT_EQ(visits.tournament.incumbent(), 1u);
    EXPECT_EQ(visits.lengths, cold.lengths);
    EXPECT_LT(visits.calls, 2 * cold.calls / 3);
}

// One call in which a rank lost its processor barred shared memory from a class for good.
TEST(Tournament, forgets_an_accident_of_the_first_two_calls) {
    Visits visits;
    visits.run([&](int) { return visits.lengths.empty() ? 50 : 0.5; });
    EXPECT_EQ(visits.tournament.incumbent(), 1u);
    EXPECT_EQ(visits.lengths, (std::vector{2, 6, 6, 6}));
}

// Noise must not win if no arm is faster and clocks differ: native stays.
TEST(Tournament, stays_native_where_nothing_is_faster) {
    for (const Measure measure : {Measure::last_delay, Measure::shortest_stay, Measure::longest_stay})
        for (const double lateness : {0.0, 10.0}) {
            int native = 0;
            constexpr int programs = 10;
            for (std::uint64_t seed = 0; seed < programs; ++seed) {
                const SimulatedClass calls{.measure = measure,
                                           .takes = {1, 1.3, 1.5},
                                           .expected = {1, 0.5, 0.7},
                                           .setup = {0, 1, 0},
                                           .exchange = 0.2,
                                           .lateness = lateness};
                native += run(calls, {2000}, 0.05, seed).back().last_arm == 0 ? 1 : 0;
            }
            EXPECT_GE(native, 9) << int(measure) << " over " << lateness;
        }
}

TEST(Tournament, costs_nothing_in_the_mean_and_gains_what_there_is) {
    double first = 0, many = 0;
    constexpr int classes = 40;
    for (std::uint64_t seed = 0; seed < classes; ++seed) {
        std::mt19937_64 random(seed);
        const auto courses = run(draw_class(random, 0.5), {20, 2000}, 0.05, random());
        first += std::log(courses[0].over_native) / classes;
        many += std::log(courses[1].over_native) / classes;
    }
    EXPECT_LE(std::exp(first), 1.02);
    EXPECT_LE(std::exp(many), 0.60);
}

}  // namespace
}  // namespace echelon
