// SPDX-License-Identifier: Apache-2.0
/// A trial on rank 0: the price of its agendas, and the verdict. Works on times alone and calls no MPI.
#include "tuner/trial.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

namespace echelon {
namespace {

using Evidence = Trial::Evidence;
using Verdict = Trial::Verdict;

/// Arms with these expected times; the first one is native.
std::vector<Trial::Arm> arms(const std::vector<Seconds>& expected) {
    std::vector<Trial::Arm> made;
    for (const Seconds one : expected)
        made.push_back({.recipe = made.empty() ? Recipe() : Recipe::parse("ring"), .expected = one});
    return made;
}

/// Recipes of which native is the second.
std::vector<Trial::Arm> native_second(const std::vector<Seconds>& expected) {
    std::vector<Trial::Arm> made = arms(expected);
    made[0].recipe = Recipe::parse("shm");
    made[1].recipe = Recipe();
    return made;
}

/// A program on one rank whose calls take `takes`, with a record of its calls.
struct Program {
    explicit Program(Trial& its, std::vector<double> seconds_of_calls)
        : trial(its), takes(std::move(seconds_of_calls)) {
        follow();
    }

    Trial& trial;
    std::vector<double> takes;
    /// Time between calls.
    double between = 0;
    /// Extra time of the first call of each arm.
    std::vector<double> setup = std::vector<double>(takes.size());
    /// Time of an exchange, and the number of calls that it takes.
    double exchange = 0;
    long travel = 1;
    std::uint64_t unable = 0;
    std::vector<long> calls = std::vector<long>(takes.size());
    std::vector<Verdict> verdicts = {};
    double seconds = 0;
    /// Price of the agenda that runs, beyond the same calls by arm 0.
    double agendas_price = 0;

    void run(long count) {
        for (long i = 0; i < count; ++i) call();
    }
    std::size_t call() {
        if (tries && course.is_done() && --travelling <= 0) {
            verdicts.push_back(trial.take(course.numbers(), unable, exchange));
            seconds += exchange;
            follow();
        }
        if (--counter.left <= 0) arm = course.next(counter, seconds);
        // An arm that cannot serve is replaced by the incumbent.
        const std::size_t runs = (unable >> arm & 1) != 0 ? course.incumbent() : arm;
        counter.entered = seconds;
        seconds += takes[runs] + (calls[runs]++ == 0 ? setup[runs] : 0);
        counter.departed = seconds;
        seconds += between;
        return runs;
    }

private:
    void follow() {
        const Agenda agenda = trial.next();
        EXPECT_EQ(trial.next(), agenda) << "until it was evaluated";
        EXPECT_EQ(agenda.incumbent, trial.incumbent());
        course = Course(agenda);
        counter.grant(0);
        counter.timed = false;
        tries = agenda.rounds > 0;
        travelling = travel;
        agendas_price = exchange;
        if (agenda.empty()) return;
        const std::size_t one = agenda.challenger;
        agendas_price += std::max(0.0, takes[one] - takes[0]) * double(agenda.rounds) *
                             double(agenda.warm + std::max(1L, agenda.block) * (agenda.mirrored ? 2 : 1)) +
                         (calls[one] == 0 ? setup[one] : 0);
    }

    Course course = {};
    CallCounter counter = {};
    std::size_t arm = 0;
    long travelling = 0;
    bool tries = false;
};

constexpr std::array kinds{Evidence::one_clock, Evidence::own_clocks, Evidence::blocks};
const char* name(Evidence kind) { return std::array{"one clock", "own clocks", "blocks"}[std::size_t(kind)]; }

TEST(Trial, finds_the_fastest_and_keeps_it) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.8, 0.5, 0.9}), {.evidence = kind});
        Program program(trial, {1, 0.9, 0.5, 1.5});
        program.run(1000);
        EXPECT_TRUE(trial.is_settled());
        EXPECT_EQ(trial.incumbent(), 2u);
        EXPECT_NEAR(trial.seconds(), 0.5, 1e-6);
        EXPECT_NEAR(trial.ratio(0).value(), 2, 0.1) << "native over the winner";
        EXPECT_GT(program.calls[2], 800) << name(kind);
    }
}

TEST(Trial, ends_where_native_wins) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.8}), {.evidence = kind});
        Program program(trial, {1, 1.4});
        program.run(2000);
        EXPECT_TRUE(trial.is_settled());
        EXPECT_EQ(program.verdicts.back(), Verdict::confirmed);
        EXPECT_EQ(trial.next(), Agenda({.incumbent = 0, .settled = true}));
        EXPECT_EQ(trial.ratio(0), std::nullopt);
    }
}

TEST(Trial, has_an_agenda_for_its_first_calls) {
    const Agenda one = Trial(arms({1, 0.5}), {.evidence = Evidence::one_clock}).next();
    EXPECT_EQ(one, Agenda({.incumbent = 0, .challenger = 1, .warm = 1, .rounds = 1}))
        << "a first call may make what the recipe needs";
    const Agenda blocks = Trial(arms({1, 0.5}), {.evidence = Evidence::blocks}).next();
    EXPECT_EQ(blocks,
              Agenda({.incumbent = 0, .challenger = 1, .warm = 1, .block = rules.first_block, .rounds = 1}));
}

// A calibrated SUMMA waited 70 of its 128 broadcasts for a recipe of 0.75 of native's time, as if its
// price had never been compared with a measurement.
TEST(Trial, begins_at_once_where_the_gain_exceeds_the_doubt) {
    const auto waits = [](double doubt) {
        return Trial(arms({1, 0.75}), {.evidence = Evidence::blocks, .doubt = doubt}).next().wait;
    };
    EXPECT_EQ(waits(1.2), 0);
    EXPECT_GT(waits(1.5), 0);
    EXPECT_GT(waits(rules.doubt), waits(1.5));
}

// Native always went first, even right after it was measured: a rank on a busy machine waited for a processor
// again and again.
TEST(Trial, lets_native_wait_where_it_was_seen_just_now) {
    for (const bool seen : {false, true}) {
        auto two = native_second({1, 20});
        two[1].seen = seen;
        Trial trial(std::move(two), {});
        Program program(trial, {1, 20});
        program.run(200);
        EXPECT_EQ(program.calls[1] == 0, seen);
        program.run(4000);
        EXPECT_GT(program.calls[1], 0) << "it is compared when the calls have paid for it";
        EXPECT_EQ(trial.incumbent(), 0u);
    }
}

// Native ran early although a calibrated model knew it to be much slower.
TEST(Trial, lets_native_wait_where_a_compared_model_is_sure) {
    const auto natives = [](double ratio, bool calibrated, long calls) {
        Trial trial(native_second({1, ratio}), {.calibrated = calibrated});
        Program program(trial, {1, ratio});
        program.run(calls);
        return program.calls[1];
    };
    EXPECT_EQ(natives(3.4, true, 100), 0);
    EXPECT_GT(natives(3.4, true, 1000), 0);
    EXPECT_GT(natives(1.5, true, 100), 0) << "a model may be so wrong";
    EXPECT_GT(natives(3.4, false, 100), 0) << "built-in machines know little of native";
}

// A profile overestimated native's time by a factor of a thousand: native was never tried, and calls stayed
// slow.
TEST(Trial, tries_native_some_day_whatever_the_model_says) {
    for (const bool seen : {false, true})
        for (const bool calibrated : {false, true}) {
            auto two = native_second({1, 1000});
            two[1].seen = seen;
            Trial trial(two, {.calibrated = calibrated});
            Program program(trial, {2, 1});
            program.run(2000);
            EXPECT_EQ(trial.incumbent(), 1u) << "native";
            EXPECT_LT(program.calls[0], 700);
        }
}

// Native served for 20 further calls although two blocks had shown a challenger that took half its time.
TEST(Trial, is_served_by_the_arm_that_looks_faster_in_blocks) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.5}), {.evidence = kind});
        Program program(trial, {1, 0.5});
        program.travel = 4;
        while (program.verdicts.empty()) program.run(1);
        const bool blocks = kind == Evidence::blocks;
        EXPECT_EQ(program.verdicts.front(), Verdict::none);
        EXPECT_EQ(trial.incumbent(), 0u);
        EXPECT_EQ(trial.next().serving, blocks ? 1u : 0u) << name(kind);
    }
    Trial trial(arms({1, 0.5}), {.evidence = Evidence::blocks});
    Program program(trial, {1, 0.9});
    while (program.verdicts.empty()) program.run(1);
    EXPECT_EQ(trial.next().serving, 0u) << "one pair shows no small lead";
}

TEST(Trial, gives_up_at_once_an_arm_that_takes_twice_as_long) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.5}), {.evidence = kind});
        Program program(trial, {1, 2.1});
        program.run(2000);
        EXPECT_EQ(program.calls[1], 1 + (kind == Evidence::blocks ? rules.first_block : 1))
            << "one to make what it needs, one block that is judged";
        EXPECT_EQ(trial.incumbent(), 0u);
        EXPECT_EQ(program.verdicts, std::vector{Verdict::confirmed});
    }
}

// The budget counted trials, not time: a slow challenger ran as often as a close one.
TEST(Trial, spends_no_more_than_its_share) {
    for (const double share : {0.01, 0.05, 0.2})
        for (const double slower : {1.05, 1.3, 1.9}) {
            Trial trial(arms({1, 1, 1, 1, 1}), {.share = share});
            Program program(trial, {1, slower, slower, slower, slower});
            constexpr double rounding = 1e-9;
            for (long calls = 0; calls < 2000; calls += 20) {
                program.run(20);
                EXPECT_LE(program.seconds, (1 + share) * double(calls + 20) + rounding);
                if (calls == 0) {
                    EXPECT_LE(program.seconds, 1.02 * 20 + rounding);
                }
            }
            EXPECT_EQ(trial.incumbent(), 0u);
            EXPECT_GT(program.calls[1], 0) << "it was tried at all";
        }
}

// The account may be surprised by one agenda, and pays for it before the next.
TEST(Trial, saves_the_price_of_an_agenda_before_the_next) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        std::mt19937_64 random(seed);
        const auto uniform = [&](double low, double high) {
            return std::uniform_real_distribution<double>(low, high)(random);
        };
        std::vector<double> takes{1}, expected{1}, setup{0};
        for (auto count = 1 + random() % 5; count > 0; --count) {
            takes.push_back(uniform(1, 6));
            expected.push_back(uniform(0.3, 3));
            setup.push_back(random() % 2 == 0 ? 0 : uniform(0, 20));
        }
        const double share = uniform(0.01, 0.3), exchange = uniform(0, 2);
        auto all = arms(expected);
        for (std::size_t i = 0; i < all.size(); ++i) all[i].setup = setup[i];
        Trial trial(all, {.evidence = kinds[random() % kinds.size()], .share = share, .exchange = exchange});
        Program program(trial, takes);
        program.setup = setup;
        program.exchange = exchange;
        double surprise = 0;
        for (long calls = 1; calls <= 3000; ++calls) {
            surprise = std::max(surprise, program.agendas_price);
            program.run(1);
            const double first = std::min(double(calls), rules.first_calls);
            const double earned =
                first * std::min(share, rules.first_share) + (double(calls) - first) * share;
            ASSERT_LE(program.seconds, double(calls) + earned + surprise + 1e-6)
                << "seed " << seed << ", call " << calls;
        }
        EXPECT_EQ(trial.incumbent(), 0u) << "seed " << seed;
    }
}

TEST(Trial, pays_for_first_calls_before_it_makes_them) {
    auto costly = arms({1, 0.5});
    costly[1].setup = 10;
    Trial trial(costly, {});
    Program program(trial, {1, 0.5});
    program.run(200);
    EXPECT_EQ(program.calls[1], 0) << "2 % of 200 calls do not pay for 10";
    program.run(2000);
    EXPECT_EQ(trial.incumbent(), 1u);
}

TEST(Trial, spends_at_first_the_share_of_the_first_calls) {
    auto costly = arms({1, 0.5});
    costly[1].setup = 3;
    for (const double share : {0.02, 0.01}) {
        Trial trial(costly, {.first_share = share});
        Program program(trial, {1, 0.5});
        program.run(200);
        EXPECT_EQ(program.calls[1] > 0, share == 0.02) << "for 3 calls 200 pay by 4 or by 2";
        program.run(2000);
        EXPECT_EQ(trial.incumbent(), 1u) << "afterwards they are alike";
    }
}

// Every call was inspected and timed while the account saved for an exchange of timings: short calls took
// twice as long.
TEST(Trial, saves_without_a_look_at_the_calls) {
    Trial trial(arms({1, 0.8}), {});
    Program program(trial, {1, 0.8});
    while (program.verdicts.empty()) program.run(1);
    program.exchange = 1000;
    while (program.verdicts.size() < 2) program.run(1);
    EXPECT_GT(trial.next().wait, 10000) << "these calls need no account";
    program.run(5000);
    EXPECT_EQ(program.verdicts.size(), 2u);
}

// The expected price of an exchange that was never timed kept a trial from its begin for hundreds of calls.
TEST(Trial, times_an_exchange_before_it_is_a_reason_to_wait) {
    Trial trial(arms({1, 0.4}), {.exchange = 1000});
    EXPECT_LE(trial.next().wait, long(std::ceil(rules.unseen_exchange / rules.first_share)));
}

TEST(Trial, does_not_try_early_a_recipe_that_should_be_slow) {
    Trial trial(arms({1, 6}), {});
    Program program(trial, {1, 0.5});
    program.run(200);
    EXPECT_EQ(program.calls[1], 0);
    program.run(2000);
    EXPECT_EQ(trial.incumbent(), 1u) << "but in the end: the model was wrong";
}

// An unclear lead replaced the incumbent.
TEST(Trial, keeps_the_incumbent_where_it_is_unclear) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.9}), {.evidence = kind});
        Program program(trial, {1, 1});
        std::mt19937_64 random(1);
        for (long i = 0; i < 8000; ++i) {
            program.takes[1] = random() % 3 == 0 ? 0.9 : 1.05;
            program.run(1);
        }
        EXPECT_EQ(trial.incumbent(), 0u);
        EXPECT_TRUE(trial.is_settled()) << name(kind);
        EXPECT_EQ(std::ranges::count(program.verdicts, Verdict::replaced), 0);
    }
}

TEST(Trial, asks_less_of_a_recipe_that_won_elsewhere) {
    for (const bool known : {false, true}) {
        auto two = arms({1, 0.9});
        two[1].known = known;
        Trial trial(two, {});
        Program program(trial, {1, 0.9});
        long calls = 0;
        for (; trial.incumbent() == 0 && calls < 1000; ++calls) program.run(1);
        EXPECT_EQ(program.verdicts.size(), known ? 2u : 3u) << "after 3 pairs, or 7";
        EXPECT_LT(calls, 200);
    }
}

TEST(Trial, goes_on_without_arms_that_cannot_serve) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.4, 0.6}), {.evidence = kind});
        Program program(trial, {1, 0.4, 0.6});
        program.unable = 0b10;
        program.run(2000);
        EXPECT_EQ(program.calls[1], 0);
        EXPECT_EQ(trial.incumbent(), 2u) << name(kind);
    }
}

TEST(Trial, ends_if_no_arm_can_serve) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.4, 0.6}), {.evidence = kind});
        Program program(trial, {1, 0.4, 0.6});
        program.unable = 0b110;
        program.run(2000);
        EXPECT_EQ(program.calls, (std::vector<long>{2000, 0, 0}));
        EXPECT_TRUE(trial.is_settled());
        EXPECT_TRUE(trial.next().empty());
        EXPECT_EQ(trial.incumbent(), 0u);
    }
    // The incumbent is not native, and has no opponent.
    Trial trial(native_second({1, 2}), {});
    Program program(trial, {1, 2});
    program.unable = 0b10;
    program.run(2000);
    EXPECT_TRUE(trial.next().empty());
    EXPECT_EQ(program.calls, (std::vector<long>{2000, 0}));
}

// A challenger ran in every tenth call: in a program whose every other call takes longer it met only the
// shorter ones, and won although it was slower.
TEST(Trial, is_fair_in_programs_with_a_rhythm) {
    for (const Evidence kind : kinds)
        for (const long period : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32}) {
            int replaced = 0, never_tried = 0;
            for (long phase = 0; phase < period; ++phase)
                for (const long travel : {1, 2, 3, 4}) {
                    Trial trial(arms({1, 0.9}), {.evidence = kind, .share = 0.1});
                    Program program(trial, {1, 1.1});
                    program.travel = travel;
                    for (long i = 0; i < 3000; ++i) {
                        const double waiting = i % period == phase ? 10 : 0;
                        program.takes = {1 + waiting, 1.1 + waiting};
                        program.run(1);
                    }
                    replaced += std::ranges::count(program.verdicts, Verdict::replaced) > 0 ? 1 : 0;
                    never_tried += program.calls[1] < 2 ? 1 : 0;
                }
            EXPECT_EQ(replaced, 0) << "of " << 4 * period << " programs with a rhythm of " << period << ", "
                                   << name(kind);
            EXPECT_EQ(never_tried, 0);
        }
}

TEST(Trial, opens_again_when_the_winner_is_not_the_best) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.5}), {.evidence = kind});
        Program program(trial, {1, 0.5});
        program.run(1000);
        ASSERT_EQ(trial.incumbent(), 1u);
        ASSERT_TRUE(trial.is_settled());
        program.takes = {1, 1.8};
        program.run(40000);
        EXPECT_EQ(trial.incumbent(), 0u) << name(kind);
        EXPECT_NE(std::ranges::find(program.verdicts, Verdict::reopened), program.verdicts.end());
    }
}

// The time of a winner's calls grows like the opponent's: nothing reopens.
TEST(Trial, stays_closed_while_the_ratio_stays) {
    Trial trial(arms({1, 0.5}), {});
    Program program(trial, {1, 0.5});
    program.run(500);
    program.takes = {10, 5};
    program.run(20000);
    EXPECT_EQ(trial.incumbent(), 1u);
    EXPECT_EQ(std::ranges::count(program.verdicts, Verdict::reopened), 0);
}

TEST(Trial, watches_for_less_than_a_hundredth) {
    for (const Evidence kind : kinds) {
        Trial trial(arms({1, 0.5}), {.evidence = kind});
        Program program(trial, {1, 0.5});
        program.run(1000);
        ASSERT_TRUE(trial.is_settled());
        const double before = program.seconds;
        const long natives = program.calls[0];
        program.verdicts.clear();
        program.run(20000);
        EXPECT_LE(program.seconds - before, 1.01 * 0.5 * 20000);
        EXPECT_GT(program.calls[0], natives) << name(kind);
        EXPECT_LE(program.verdicts.size(), 6u) << "ever more rarely";
    }
}

// A short call by shared memory is several times as long where the caches are cold.
TEST(Trial, judges_the_last_of_several_calls_where_caches_decide) {
    Trial trial(arms({1, 1.2}), {.warm = 5});
    Program program(trial, {1, 0.5});
    int in_a_row = 0;
    std::vector<int> visits;
    for (long calls = 0; calls < 1000 && trial.incumbent() == 0; ++calls) {
        program.takes[1] = in_a_row < 5 ? 5 : 0.5;
        if (program.call() == 1) {
            ++in_a_row;
        } else if (in_a_row > 0) {
            visits.push_back(std::exchange(in_a_row, 0));
        }
    }
    EXPECT_EQ(trial.incumbent(), 1u);
    EXPECT_EQ(visits, (std::vector{6, 6, 6}));
}

TEST(Trial, compares_whole_rhythms_of_the_program) {
    for (const long rhythm : {1L, 3L, 10L, rules.most_block}) {
        Trial trial(arms({1, 0.9, 0.8}), {.evidence = Evidence::blocks, .rhythm = rhythm});
        int agendas = 0;
        for (Agenda agenda; !(agenda = trial.next()).empty(); ++agendas) {
            EXPECT_EQ((agenda.warm + agenda.block) % rhythm, 0);
            EXPECT_EQ(agenda.wait % rhythm, 0);
            EXPECT_GE(agenda.block, 2);
            const long numbers = agenda.rounds * (agenda.mirrored ? 4 : 2);
            (void)trial.take(std::vector<double>(std::size_t(numbers), 1.0), 0, 0);
        }
        EXPECT_GE(agendas, 2);
    }
    Trial trial(arms({1, 0.5}), {.evidence = Evidence::blocks, .rhythm = rules.most_block + 1});
    EXPECT_EQ(trial.next().block, rules.first_block) << "such a rhythm is too long for a comparison";
}

}  // namespace
}  // namespace echelon
