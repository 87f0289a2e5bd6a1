// SPDX-License-Identifier: Apache-2.0
#include "core/checker.hpp"
#include "core/error.hpp"
#include "core/recorder.hpp"
#include "estimators/simulator/simulator.hpp"
#include "flat/allreduce.hpp"
#include "flat/multiplying_choice.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace echelon {
namespace {

using testing::HasSubstr;

Schedule recorded(int p, std::string_view text, std::size_t count) {
    Args args;
    args.data = {0, count};
    args.schedule = text;
    args.in_order = true;
    return record(p, 8, [&](Recorder& link) { allreduce_recursive_multiplying(link, args); });
}

/// Defect of a schedule; empty if every contribution arrives once, in rank order, with equal brackets on all
/// ranks.
std::string flaw(int p, std::string_view text) {
    constexpr std::size_t count = 3;
    if (!text.empty())
        if (const std::string reason = misfit(parse_multiplying_schedule(text), p); !reason.empty())
            return reason;
    return check(recorded(p, text, count),
                 {.collective = Collective::allreduce, .count = count, .in_order = true})
        .reason;
}

/// Number of one-ported rounds: a replay with a latency of one and no other cost.
double rounds(int p, std::string_view text) {
    return simulate(recorded(p, text, 0), uniform_machine(Hockney{.alpha = 1})).makespan();
}

std::string printed(const MultiplyingSchedule& schedule) {
    std::string text;
    for (const auto& stage : schedule) text += (text.empty() ? "" : "-") + to_string(stage);
    return text;
}

// All schedules of p ranks, by kind.

using Texts = std::vector<std::string>;

/// Every order of the factors of every factorisation of n.
std::vector<std::vector<int>> factorisations(int n) {
    if (n == 1) return {{}};
    std::vector<std::vector<int>> all;
    for (int factor = 2; factor <= n; ++factor) {
        if (n % factor != 0) continue;
        for (auto& factors : factorisations(n / factor)) {
            factors.push_back(factor);
            all.push_back(factors);
        }
    }
    return all;
}

std::string multiplied(const std::vector<int>& factors) {
    std::string text;
    for (const int factor : factors) text += (text.empty() ? "a" : "-a") + std::to_string(factor);
    return text;
}

Texts factored(int p) {
    Texts all;
    for (const auto& factors : factorisations(p)) all.push_back(multiplied(factors));
    return all;
}

Texts split(int p) {
    Texts all;
    for (int base = 2; base <= p; ++base)
        for (int collapsed = base; collapsed <= p; collapsed += base)
            for (const auto& factors : factorisations(p - collapsed / base * (base - 1))) {
                const std::string ends = std::to_string(collapsed) + "m" + std::to_string(base);
                all.push_back("c" + ends + (factors.empty() ? "" : "-") + multiplied(factors) + "-e" + ends);
            }
    return all;
}

Texts merged(int p) {
    Texts all;
    for (int remaining = 1; 2 * remaining <= p; ++remaining)
        for (const auto& factors : factorisations(p - remaining)) {
            if (factors.size() < 2) continue;
            const auto end = [&](char kind, int base) {
                return kind + std::to_string(remaining) + "g" + std::to_string((p - remaining) / base) + "a" +
                       std::to_string(base);
            };
            const std::string middle = multiplied({factors.begin() + 1, factors.end() - 1});
            all.push_back(end('m', factors.front()) + (middle.empty() ? "" : "-") + middle + "-" +
                          end('n', factors.back()));
        }
    return all;
}

std::string refusal_of(std::string_view text) {
    return refusal([&] { return parse_multiplying_schedule(text); });
}

TEST(MultiplyingSchedule, IsPrintedAsItWasRead) {
    for (const std::string text :
         {"a2", "a16-a3", "c6m2-a2-a2-e6m2", "m1g2a3-n1g3a2", "m12g100a7-a2-n12g350a2"})
        EXPECT_EQ(printed(parse_multiplying_schedule(text)), text);
    EXPECT_EQ(printed(parse_multiplying_schedule("a8,a4")), "a8-a4") << "the paper separates by commas";
}

TEST(MultiplyingSchedule, SaysWhichStageItCannotRead) {
    for (const std::string text :
         {"", "a", "a1", "b2", "a2-", "a2--a3", "a2x", "c6", "m1g2", "n1a3", "a-2", "c0m2", "a99999999999"})
        EXPECT_THAT(refusal_of(text), HasSubstr("is no stage")) << text;
    EXPECT_THAT(refusal_of("a2-q7-a2"), HasSubstr("'q7'"));
}

TEST(MultiplyingSchedule, SaysWhyItDoesNotFit) {
    const auto reason = [](int p, std::string_view text) {
        return misfit(parse_multiplying_schedule(text), p);
    };
    EXPECT_THAT(reason(7, "a2-a3"), HasSubstr("multiply to 7"));
    EXPECT_THAT(reason(7, "c6m2-a2-e6m2"), HasSubstr("multiply to 4 (of 7 ranks), not to 2"));
    EXPECT_THAT(reason(7, "c6m2-a2-a2"), HasSubstr("needs an expansion"));
    EXPECT_THAT(reason(7, "a2-c6m2-a2-e6m2"), HasSubstr("first stage"));
    EXPECT_THAT(reason(7, "c6m2-a2-a2-e6m3"), HasSubstr("undo the first"));
    EXPECT_THAT(reason(7, "c5m2-a5-e5m2"), HasSubstr("multiple of 2"));
    EXPECT_THAT(reason(7, "c8m2-a3-e8m2"), HasSubstr("at most 7"));
    EXPECT_THAT(reason(7, "m1g2a3-n2g3a2"), HasSubstr("as many ranks"));
    EXPECT_THAT(reason(7, "m1g3a3-n1g3a2"), HasSubstr("make up 6 ranks"));
    EXPECT_THAT(reason(7, "a2-n1g3a2"), HasSubstr("undo a merge"));
}

TEST(MultiplyingSchedule, AnAlgorithmRefusesWhatDoesNotFit) { EXPECT_THROW(recorded(7, "a2-a3", 1), Error); }

// Ruefenacht et al. 2017, by the number of the figure or table.

TEST(RecursiveMultiplying, Figure5And6SixRanksInTwoStages) {
    EXPECT_EQ(flaw(6, "a3-a2"), "");
    EXPECT_EQ(flaw(6, "a2,a3"), "");
    EXPECT_EQ(rounds(6, "a3-a2"), 2 + 1);
}

TEST(RecursiveMultiplying, Figure7And21SevenRanksByMergingOne) {
    EXPECT_EQ(flaw(7, "m1g2a3,n1g3a2"), "");
    EXPECT_EQ(MultiplyingRanks(parse_multiplying_schedule("m1g2a3-n1g3a2"), 7).remaining, std::vector{0});
}

TEST(RecursiveMultiplying, Figure18And19EightRanks) {
    EXPECT_EQ(flaw(8, "a2,a2,a2"), "");
    EXPECT_EQ(flaw(8, "a8"), "");
    EXPECT_EQ(rounds(8, "a2,a2,a2"), 3);
    EXPECT_EQ(rounds(8, "a8"), 7);
}

TEST(RecursiveMultiplying, Figure20SevenRanksBySplitting) {
    EXPECT_EQ(flaw(7, "c6m2,a2,a2,e6m2"), "");
    EXPECT_EQ(rounds(7, "c6m2,a2,a2,e6m2"), 4);
}

TEST(RecursiveMultiplying, Figure22SevenRanksByMergingThree) {
    EXPECT_EQ(flaw(7, "m3g2a2,n3g2a2"), "");
    const MultiplyingRanks ranks(parse_multiplying_schedule("m3g2a2-n3g2a2"), 7);
    EXPECT_EQ(ranks.members, (std::vector{2, 3, 5, 6}));
    EXPECT_EQ(ranks.remaining, (std::vector{0, 4, 1})) << "in front of the group that hears them";
}

TEST(RecursiveMultiplying, Table2) {
    const std::pair<int, const char*> table[] = {
        {4, "a4"},     {6, "a6"},     {8, "a2,a4"},  {12, "a3,a4"},    {16, "a4,a4"},    {24, "a4,a6"},
        {32, "a8,a4"}, {48, "a8,a6"}, {64, "a8,a8"}, {96, "a8,a3,a4"}, {128, "a8,a4,a4"}};
    for (const auto& [p, text] : table) {
        EXPECT_EQ(flaw(p, text), "") << text;
        double sum = 0;
        for (const auto& stage : parse_multiplying_schedule(text)) sum += stage.base - 1;
        EXPECT_EQ(rounds(p, text), sum) << text << ": messages of a stage must not meet";
    }
}

TEST(RecursiveMultiplying, EveryScheduleOfSmallNumbersIsProved) {
    std::size_t kinds[3] = {};
    for (int p = 1; p <= 17; ++p) {
        const auto proved = [p](const Texts& texts) {
            for (const auto& text : texts) EXPECT_EQ(flaw(p, text), "") << p << ": " << text;
            return texts.size();
        };
        kinds[0] += proved(factored(p));
        kinds[1] += proved(split(p));
        kinds[2] += proved(merged(p));
    }
    EXPECT_THAT(kinds, testing::Each(testing::Gt(40u)));
}

TEST(RecursiveMultiplying, TheClosedFormulaIsExactForFactorsAndABoundElsewhere) {
    const auto formula = [](int p, const std::string& text) {
        Problem problem;
        problem.p = p;
        problem.schedule = text;
        return allreduce_recursive_multiplying_cost(problem).steps;
    };
    for (int p = 2; p <= 16; ++p) {
        for (const auto& text : factored(p)) EXPECT_EQ(formula(p, text), rounds(p, text)) << text;
        for (const auto& text : split(p)) EXPECT_GE(formula(p, text), rounds(p, text)) << text;
        for (const auto& text : merged(p)) EXPECT_GE(formula(p, text), rounds(p, text)) << text;
    }
}

TEST(RecursiveMultiplying, NoScheduleIsBetterThanTheChosenOne) {
    for (const double overlap : {0.1, 1.0, 4.0, 8.0})
        for (int p = 2; p <= 16; ++p) {
            const auto cost = [&](const MultiplyingSchedule& schedule) {
                double sum = 0;
                for (const auto& stage : schedule) sum += overlap + one_ported_rounds(stage);
                return sum;
            };
            double least = std::numeric_limits<double>::infinity();
            for (const auto& texts : {factored(p), split(p), merged(p)})
                for (const auto& text : texts)
                    least = std::min(least, cost(parse_multiplying_schedule(text)));
            const MultiplyingSchedule best = best_multiplying_schedule(p, overlap);
            EXPECT_NEAR(cost(best), least, 1e-9) << p << ": " << printed(best);
        }
}

TEST(RecursiveMultiplying, TheChoiceFollowsTheOverlap) {
    EXPECT_EQ(printed(best_multiplying_schedule(64, 0.1)), "a2-a2-a2-a2-a2-a2") << "nothing overlaps";
    EXPECT_EQ(printed(best_multiplying_schedule(64)), "a4-a4-a4");
    EXPECT_EQ(printed(best_multiplying_schedule(64, 8)), "a8-a8");
    EXPECT_TRUE(best_multiplying_schedule(1).empty());
    for (int p = 1; p <= 300; ++p) EXPECT_EQ(misfit(best_multiplying_schedule(p), p), "") << p;
}

}  // namespace
}  // namespace echelon
