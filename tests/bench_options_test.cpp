// SPDX-License-Identifier: Apache-2.0
#include "bench/options.hpp"
#include "core/words.hpp"
#include "hier/lists.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echelon::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Options parsed(std::vector<const char*> arguments, int p = 8) {
    arguments.insert(arguments.begin(), "echelon-bench");
    return parse_options(int(arguments.size()), arguments.data(), p);
}

std::string complaint(const std::vector<const char*>& arguments, int p = 8) {
    return refusal([&] { return parsed(arguments, p); });
}

TEST(BenchOptions, PartsAreThoseOfTheGridThatIsNearestToASquare) {
    const auto members = [](const char* name, int p) {
        const Part part = part_named(name, p);
        std::vector<int> ranks;
        for (int rank = 0; rank < p; ++rank)
            if (part.has(rank)) ranks.push_back(rank);
        EXPECT_EQ(int(ranks.size()), part.count) << name;
        return ranks;
    };
    EXPECT_THAT(members("half", 12), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(members("quarter", 12), ElementsAre(0, 1, 2));
    EXPECT_THAT(members("strided", 10), ElementsAre(0, 4, 8));
    EXPECT_THAT(members("row", 12), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(members("column", 12), ElementsAre(0, 4, 8));
    EXPECT_THAT(members("row", 7), ElementsAre(0, 1, 2, 3)) << "of a prime number the last row is short";
    EXPECT_THAT(members("column", 7), ElementsAre(0, 4));
    EXPECT_EQ(parsed({"--parts", "half, column"}).parts.at(1).name, "column");
    EXPECT_THAT(complaint({"--parts", "third"}), HasSubstr("'third' is none of all, half"));
    EXPECT_THAT(parsed({}).parts, testing::SizeIs(1));
    EXPECT_THAT(complaint({"--parts", "quarter"}), testing::IsEmpty());
    EXPECT_EQ(parsed({}, 1).parts.at(0).count, 1) << "one rank is told so elsewhere";
    EXPECT_THAT(complaint({"--parts", "column"}, 3), HasSubstr("of 3 ranks it has no two"));
}

TEST(BenchOptions, ListsAreRead) {
    const Options options =
        parsed({"--collectives", "bcast, reduce", "--bytes=8,1K,2M", "--recipes",
                "ring; leaders(ranks=0-3;4-7, binomial, ring);auto;native", "--root", "7"});
    EXPECT_THAT(options.collectives, ElementsAre(Collective::bcast, Collective::reduce));
    EXPECT_THAT(options.bytes, ElementsAre(8, 1024, 2 << 20));
    EXPECT_THAT(options.recipes,
                ElementsAre(Recipe::parse("ring"), Recipe::parse("leaders(ranks=0-3;4-7,binomial,ring)")));
    EXPECT_TRUE(options.automatic);
    EXPECT_FALSE(options.all_recipes);
    EXPECT_TRUE(options.check);
    EXPECT_EQ(options.root, 7);
}

TEST(BenchOptions, WithoutAnyThereIsMuchToMeasure) {
    const Options options = parsed({});
    EXPECT_THAT(options.collectives,
                ElementsAre(Collective::allreduce, Collective::reduce, Collective::bcast));
    EXPECT_THAT(options.bytes, ElementsAre(8, 1 << 10, 64 << 10, 1 << 20));
    EXPECT_TRUE(options.all_recipes);
}

TEST(BenchOptions, ARangeOfSizesDoubles) {
    EXPECT_THAT(parse_sizes("8..64"), ElementsAre(8, 16, 32, 64));
    EXPECT_THAT(parse_sizes("12..100,1M"), ElementsAre(12, 24, 48, 96, 1 << 20));
    EXPECT_THAT(parse_sizes("4..4"), ElementsAre(4));
}

TEST(BenchOptions, SemicolonsInsideBracketsBelongToTheRecipe) {
    EXPECT_THAT(split(" ring ;leaders(ranks=0;1, a(seg=1), b);; x", ';'),
                ElementsAre("ring", "leaders(ranks=0;1, a(seg=1), b)", "x"));
}

TEST(BenchOptions, WrongUseIsOneSentence) {
    EXPECT_EQ(
        complaint({"--collectives", "sum"}),
        "--collectives: 'sum' is none of reduce, allreduce, bcast, barrier, reduce_scatter, allgather, gather, scatter, alltoall, scan, exscan");
    EXPECT_THAT(complaint({"--bytes", "8,12x"}), HasSubstr("'12x' in '8,12x': expected sizes such as 8,1K"));
    EXPECT_EQ(complaint({"--bytes", "1K..8"}),
              "--bytes: '1K..8': a range goes upwards from 1 or more; expected sizes such as 8,1K,64K..4M");
    EXPECT_EQ(complaint({"--bytes", "6"}), "--bytes 6: expected a multiple of the 4 bytes of int");
    EXPECT_THAT(complaint({"--bytes", "16G"}), HasSubstr("at most 2^31 - 1 elements"));
    EXPECT_THAT(complaint({"--recipes", "leaders(sqrt, ring"}), HasSubstr("column"));
    EXPECT_THAT(complaint({"--recipes", "rung"}), HasSubstr("there is no algorithm or shape 'rung'"));
    EXPECT_EQ(complaint({"--recipes", "all;ring"}), "--recipes: give a list or `all`, not both");
    EXPECT_EQ(complaint({"--root", "8"}), "--root 8: ranks are 0 to 7");
    EXPECT_EQ(complaint({"--type", "long"}), "--type: 'long' is none of int, float, double");
    EXPECT_EQ(complaint({"--op", "prod"}), "--op: 'prod' is none of sum, max, min");
    EXPECT_EQ(complaint({"--repetitions", "0"}), "--repetitions: expected a number from 1 on");
    EXPECT_THAT(complaint({"--repetitions", "many"}), HasSubstr("repetitions"));
    EXPECT_THAT(complaint({"--frobnicate"}), HasSubstr("frobnicate"));
    EXPECT_NE(complaint({"allreduce"}), "");
    EXPECT_EQ(complaint({"--check", "--no-check"}), "--check and --no-check exclude each other");
}

TEST(BenchOptions, HelpNamesEveryOption) {
    for (const char* option : {"--collectives", "--bytes", "--recipes", "--repetitions", "--warm-up",
                               "--time-budget", "--root", "--type", "--op", "--check", "--no-check", "--json",
                               "--csv", "--communicators", "--verbose", "--help", "--version", "Exit codes"})
        EXPECT_THAT(help_text(), HasSubstr(option));
}

}  // namespace
}  // namespace echelon::bench
