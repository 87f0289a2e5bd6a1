// SPDX-License-Identifier: Apache-2.0
/// The course of calls in a trial, which all ranks follow alike. Works on times alone and calls no MPI.
#include "tuner/course.hpp"

#include <gtest/gtest.h>
#include <array>
#include <cfenv>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace echelon {
namespace {

/// A call as the counter shows it: the arm, a dot after it if it is timed; "|" before it where the course was
/// asked. `calls` calls follow the end.
std::string told(const Agenda& agenda, long calls = 0) {
    Course course(agenda);
    CallCounter counter;
    std::string text;
    std::size_t arm = 0;
    for (long call = 0; call < course.calls() + calls; ++call) {
        if (--counter.left <= 0) {
            arm = course.next(counter, double(call));
            text += '|';
        }
        text += std::to_string(arm) + (counter.timed ? "." : "");
    }
    return text;
}

TEST(Course, times_single_calls) {
    EXPECT_EQ(told({.incumbent = 0, .challenger = 1, .rounds = 1}), "|0.|1.");
    EXPECT_EQ(told({.incumbent = 2, .challenger = 1, .rounds = 2}), "|2.|1.|222|2.|1.");
}

TEST(Course, waits_with_the_incumbent) {
    EXPECT_EQ(told({.incumbent = 1, .challenger = 0, .serving = 1, .wait = 4, .rounds = 1}, 3),
              "|1111|1.|0.|111");
    EXPECT_EQ(told({.incumbent = 3, .challenger = 0, .serving = 3, .wait = 2}, 2), "|33|33")
        << "without rounds";
}

TEST(Course, is_served_by_the_arm_that_looks_faster) {
    EXPECT_EQ(told({.incumbent = 0, .challenger = 1, .serving = 2, .wait = 2, .block = 2, .rounds = 1}, 2),
              "|2|2|00|1|1|2|2")
        << "asked for each call, because plans of a class are the incumbent's";
}

TEST(Course, warms_up_both_arms_alike) {
    EXPECT_EQ(told({.incumbent = 0, .challenger = 1, .wait = 1, .warm = 2, .rounds = 2}),
              "|0|00|0.|1|1|1.|000|00|0.|1|1|1.");
}

TEST(Course, measures_blocks_together) {
    EXPECT_EQ(told({.incumbent = 0, .challenger = 1, .block = 3, .rounds = 2}, 2), "|000|1|1|1|000|1|1|1|00");
    EXPECT_EQ(told({.incumbent = 0, .challenger = 1, .warm = 1, .block = 2, .rounds = 1}), "|0|00|1|1|1");
    EXPECT_EQ(told({.incumbent = 0, .challenger = 1, .block = 2, .mirrored = true, .rounds = 1}),
              "|00|1|1|1|1|00");
    EXPECT_EQ(told({.incumbent = 0, .challenger = 2, .warm = 1, .block = 1, .mirrored = true, .rounds = 1}),
              "|0|0|2|2|2|2|0|0");
}

TEST(Course, without_rounds_is_the_incumbents) {
    EXPECT_EQ(told({.incumbent = 5}, 3), "|555");
    const Course course(Agenda{.incumbent = 5});
    EXPECT_TRUE(course.is_done());
    EXPECT_EQ(course.incumbent(), 5u);
    EXPECT_EQ(course.calls(), 0);
    EXPECT_TRUE(course.numbers().empty());
}

/// Follows an agenda on a rank whose call number i enters at 10 i and takes 1 + i.
Course followed(const Agenda& agenda) {
    Course course(agenda);
    CallCounter counter;
    for (double call = 0; !course.is_done(); ++call) {
        if (--counter.left <= 0) (void)course.next(counter, 10 * call);
        if (counter.timed) counter.entered = 10 * call, counter.departed = 10 * call + 1 + call;
    }
    EXPECT_EQ(counter.left, CallCounter::for_ever);
    EXPECT_FALSE(counter.timed);
    return course;
}

TEST(Course, gives_stays_and_instants_of_single_calls) {
    EXPECT_EQ(followed({.incumbent = 0, .challenger = 1, .rounds = 1}).numbers(),
              (std::vector<double>{1, -0.0, -1, 2, -10, -12}));
    EXPECT_EQ(followed({.incumbent = 0, .challenger = 1, .wait = 2, .warm = 1, .rounds = 1}).numbers(),
              (std::vector<double>{4, -30, -34, 6, -50, -56}));
}

TEST(Course, gives_the_time_of_the_program_in_blocks) {
    EXPECT_EQ(
        followed({.incumbent = 0, .challenger = 1, .wait = 7, .warm = 1, .block = 3, .rounds = 2}).numbers(),
        (std::vector<double>{30, 30, 30, 30}));
    // The waiting time of 5 between two blocks belongs to the one before it.
    Course course({.incumbent = 0, .challenger = 1, .block = 2, .mirrored = true, .rounds = 1});
    CallCounter counter;
    for (const double instant : {0, 1, 7, 8, 9, 10, 13, 14, 16})
        if (--counter.left <= 0) (void)course.next(counter, instant);
    EXPECT_TRUE(course.is_done());
    EXPECT_EQ(course.numbers(), (std::vector<double>{7, 2, 4, 3}));
}

Agenda drawn_agenda(std::mt19937_64& random) {
    const auto up_to = [&](unsigned most) { return long(random() % (most + 1)); };
    Agenda made{.incumbent = random() % 4,
                .wait = up_to(20),
                .warm = up_to(3),
                .block = up_to(1) * up_to(8),
                .rounds = 1 + up_to(4)};
    made.mirrored = made.block > 0 && up_to(1) != 0;
    made.challenger = (made.incumbent + 1 + random() % 3) % 4;
    made.serving = made.incumbent;
    return made;
}

TEST(Course, has_as_many_numbers_as_the_agenda_says) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 300; ++i) {
        const Agenda agenda = drawn_agenda(random);
        const Course before(agenda), after = followed(agenda);
        EXPECT_EQ(before.calls(), after.calls());
        EXPECT_EQ(long(after.numbers().size()), agenda.rounds * (agenda.block == 0 ? 6
                                                                 : agenda.mirrored ? 4
                                                                                   : 2));
    }
}

// The arm depended on sums of rounded numbers: a rank with another rounding mode left the others.
TEST(Course, is_the_same_whatever_a_rank_reads_and_however_it_rounds) {
    constexpr std::array modes{FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const int usual = std::fegetround();
    std::mt19937_64 random(2);
    const auto reading = [&] {
        constexpr double odd[] = {0, -1e300, std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN(), 1e-310};
        return random() % 3 == 0 ? odd[random() % 5] : double(random()) * 1e-9;
    };
    for (int i = 0; i < 300; ++i) {
        Agenda agenda = drawn_agenda(random);
        agenda.serving = random() % 4;
        std::array<Course, modes.size()> ranks;
        std::array<CallCounter, modes.size()> counters;
        std::array<std::size_t, modes.size()> arms{};
        ranks.fill(Course(agenda));
        for (long call = 0; call <= ranks[0].calls(); ++call) {
            for (std::size_t rank = 0; rank < modes.size(); ++rank) {
                CallCounter& counter = counters[rank];
                std::fesetround(modes[rank]);
                if (--counter.left <= 0) arms[rank] = ranks[rank].next(counter, reading());
                std::fesetround(usual);
                counter.entered = reading(), counter.departed = reading();
                ASSERT_EQ(arms[rank], arms[0]);
                ASSERT_EQ(counter.left, counters[0].left);
                ASSERT_EQ(counter.timed, counters[0].timed);
            }
        }
        for (const Course& one : ranks) {
            EXPECT_TRUE(one.is_done());
            EXPECT_EQ(one.numbers().size(), ranks[0].numbers().size());
        }
    }
}

}  // namespace
}  // namespace echelon
