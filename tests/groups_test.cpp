// SPDX-License-Identifier: Apache-2.0
// Groups of recipes: reading, printing, resolving, and every way to get them wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "core/error.hpp"
#include "groups/groups.hpp"
#include "groups/ways.hpp"
#include "support/refusal.hpp"

namespace {

using echelon::Error;
using echelon::Groups;
using echelon::Partition;
using echelon::Placement;
using echelon::placements;
using echelon::resolve;
using testing::StrEq;
using testing::ThrowsMessage;

/// Sentence of the error for `text`, which must be refused.
std::string complaint(const std::string& text) {
    return echelon::refusal([&] { return Groups::parse(text); });
}

std::string complaint(const Groups& groups, int p, const Placement& placement = {}) {
    return echelon::refusal([&] { return resolve(groups, p, placement); });
}

TEST(Groups, ReadBackWhatTheyPrint) {
    for (const char* text :
         {"sqrt", "G=1", "G=8", "size=4", "site", "switch", "node", "package", "numa", "l3", "ranks=0",
          "ranks=0-3;4-7", "ranks=0+2+4;1+3", "ranks=0-1+4;2-3", "G=2147483647"}) {
        const Groups groups = Groups::parse(text);
        EXPECT_EQ(to_string(groups), text);
        EXPECT_EQ(Groups::parse(to_string(groups)), groups);
    }
    EXPECT_EQ(Groups::parse("G=8"), Groups::count(8));
    EXPECT_EQ(Groups::parse("size=4"), Groups::size(4));
    EXPECT_EQ(Groups::parse("sqrt"), Groups::sqrt());
    EXPECT_EQ(Groups::parse("site"), Groups::site());
    EXPECT_EQ(Groups::parse("switch"), Groups::leaf_switch());
    EXPECT_EQ(Groups::parse("node"), Groups::node());
    EXPECT_EQ(Groups::parse("package"), Groups::package());
    EXPECT_EQ(Groups::parse("numa"), Groups::numa());
    EXPECT_EQ(Groups::parse("l3"), Groups::l3());
    EXPECT_EQ(Groups::parse("ranks=0-3;4-7"), Groups::ranks(echelon::by_size(8, 4)));
}

TEST(Groups, AreTheSameValueHoweverTheyAreWritten) {
    EXPECT_EQ(Groups::parse(" G = 8 "), Groups::count(8));
    EXPECT_EQ(to_string(Groups::parse("ranks = 6+7+4-5 ; 0-3")), "ranks=0-3;4-7");
    EXPECT_EQ(to_string(Groups::parse("G=008")), "G=8");
}

TEST(Groups, AreAKey) {
    const std::vector<std::string> texts = {
        "sqrt", "node", "site",   "switch", "package",       "numa",         "l3",
        "G=2",  "G=4",  "size=2", "size=4", "ranks=0-1;2-3", "ranks=0+2;1+3"};
    std::unordered_set<Groups> keys;
    for (int twice = 0; twice < 2; ++twice)
        for (const auto& text : texts) keys.insert(Groups::parse(text));
    EXPECT_EQ(keys.size(), texts.size());
    EXPECT_NE(Groups::count(4), Groups::size(4));
    EXPECT_EQ(Groups::parse("ranks=2-3;0-1").hash(), Groups::parse("ranks=0-1;2-3").hash());
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<Groups>);
}

TEST(Groups, SayWhatTheyNeed) {
    for (const char* text : {"sqrt", "G=2", "size=2", "ranks=0-1;2-3"})
        EXPECT_FALSE(Groups::parse(text).needs_placement()) << text;
    for (const char* text : {"site", "switch", "node", "package", "numa", "l3"})
        EXPECT_TRUE(Groups::parse(text).needs_placement()) << text;
    EXPECT_FALSE(Groups::site().needs_topology());
    EXPECT_FALSE(Groups::leaf_switch().needs_topology());
    EXPECT_FALSE(Groups::node().needs_topology());
    EXPECT_TRUE(Groups::package().needs_topology());
    EXPECT_TRUE(Groups::numa().needs_topology());
    EXPECT_TRUE(Groups::l3().needs_topology());
}

TEST(Groups, ResolveForAnyNumberOfRanks) {
    EXPECT_EQ(to_string(resolve(Groups::sqrt(), 12)), "0-3;4-7;8-11");
    EXPECT_EQ(to_string(resolve(Groups::count(4), 10)), "0-2;3-5;6-7;8-9");
    EXPECT_EQ(to_string(resolve(Groups::size(4), 10)), "0-3;4-7;8-9");
    EXPECT_EQ(to_string(resolve(Groups::size(4), 3)), "0-2");
    EXPECT_EQ(to_string(resolve(Groups::parse("ranks=0+2+4;1+3"), 5)), "0+2+4;1+3");
    for (int p = 1; p <= 33; ++p) {
        EXPECT_EQ(resolve(Groups::sqrt(), p), echelon::by_sqrt(p));
        EXPECT_TRUE(resolve(Groups::count(1), p).flat());
        EXPECT_TRUE(resolve(Groups::count(p), p).flat());
    }
}

TEST(Groups, ResolveWhereRanksSit) {
    const Placement machine = placements("a.0.0 b.0.0 a.0.1 b.0.0 a.1.2");
    EXPECT_EQ(to_string(resolve(Groups::node(), 5, machine)), "0+2+4;1+3");
    EXPECT_EQ(to_string(resolve(Groups::package(), 5, machine)), "0+2;1+3;4");
    EXPECT_EQ(to_string(resolve(Groups::numa(), 5, machine)), "0;1+3;2;4");
    EXPECT_EQ(to_string(resolve(Groups::l3(), 5, machine)), "0+2+4;1+3") << "not known";
    EXPECT_EQ(to_string(resolve(Groups::l3(), 5, placements("a.0.0.0 b.0.0.3 a.0.0.1 b.0.0.3 a.0.0.0"))),
              "0+4;1+3;2");
    EXPECT_TRUE(resolve(Groups::site(), 5, machine).flat()) << "of one site, as far as is known";
    EXPECT_EQ(to_string(resolve(Groups::site(), 3, placements("s:a s:b t:c"))), "0-1;2");
    EXPECT_TRUE(resolve(Groups::leaf_switch(), 5, machine).flat()) << "on one switch, as far as is known";
    EXPECT_EQ(to_string(resolve(Groups::leaf_switch(), 3, placements("s:a s:b t:c"))), "0-1;2")
        << "no switch is of two sites";
    EXPECT_EQ(to_string(resolve(Groups::leaf_switch(), 5, placements("s:w:a s:v:b s:w:c s:v:b t:w:d"))),
              "0+2;1+3;4");
}

TEST(Groups, PrintEveryPartitionSoThatItIsReadBack) {
    for (int p = 1; p <= 33; ++p)
        for (int stride = 1; stride <= p; ++stride) {
            std::vector<int> colors(std::size_t(p), 0);
            for (int rank = 0; rank < p; ++rank) colors[std::size_t(rank)] = rank * rank % stride;
            const Groups groups = Groups::ranks(Partition::from_colors(colors));
            EXPECT_EQ(Groups::parse(to_string(groups)), groups);
            EXPECT_EQ(resolve(groups, p), Partition::from_colors(colors));
        }
}

TEST(GroupsErrors, SayWhatIsWrongWithANumber) {
    EXPECT_EQ(complaint("G=0"), "groups 'G=0', column 3: G must be a number of at least 1");
    EXPECT_EQ(complaint("G=-2"), "groups 'G=-2', column 3: G must be a number of at least 1");
    EXPECT_EQ(complaint("G="), "groups 'G=', column 3: G must be a number of at least 1");
    EXPECT_EQ(complaint("size=x"), "groups 'size=x', column 6: size must be a number of at least 1");
    EXPECT_EQ(complaint("G=99999999999999999999"),
              "groups 'G=99999999999999999999', column 3: the number must be at most 2147483647");
    EXPECT_EQ(complaint("G"), "groups 'G', column 2: expected '=' after G");
    EXPECT_EQ(complaint("size 4"), "groups 'size 4', column 6: expected '=' after size");
    EXPECT_EQ(complaint("G=4x"), "groups 'G=4x', column 4: unexpected words behind G=4");
    EXPECT_EQ(complaint("G=4 4"), "groups 'G=4 4', column 5: unexpected words behind G=4");
    EXPECT_THAT([] { Groups::count(0); }, ThrowsMessage<Error>(StrEq("groups 'G=0': G must be at least 1")));
    EXPECT_THAT([] { Groups::size(-1); },
                ThrowsMessage<Error>(StrEq("groups 'size=-1': size must be at least 1")));
}

TEST(GroupsErrors, ListTheNamesThatExist) {
    const std::string known =
        ": unknown groups; write sqrt, G=n, size=n, site, switch, node, package, numa, l3 or ranks=0-3;4-7";
    EXPECT_EQ(complaint("nodes"), "groups 'nodes', column 1" + known + "; did you mean node?");
    EXPECT_EQ(complaint(""), "groups '', column 1" + known);
    EXPECT_EQ(complaint("  8"), "groups '  8', column 3" + known);
    EXPECT_EQ(complaint("g=8"), "groups 'g=8', column 1" + known);
    EXPECT_EQ(complaint("node=2"), "groups 'node=2', column 5: unexpected words behind node");
}

TEST(GroupsErrors, PointAtTheRankThatIsWrong) {
    EXPECT_EQ(complaint("ranks=0-3;3-5"),
              "groups 'ranks=0-3;3-5', column 11: rank 3 is named twice; each rank stands in one group");
    EXPECT_EQ(complaint("ranks=0+0"),
              "groups 'ranks=0+0', column 9: rank 0 is named twice; each rank stands in one group");
    EXPECT_EQ(complaint("ranks=0-2;4-7"),
              "groups 'ranks=0-2;4-7', column 14: rank 3 is in no group; name each rank from 0 to 7 once");
    EXPECT_EQ(complaint("ranks=3-0"), "groups 'ranks=3-0', column 7: a run counts up: write 0-3");
    EXPECT_EQ(complaint("ranks="), "groups 'ranks=', column 7: expected a rank, as in ranks=0-3;4-7");
    EXPECT_EQ(complaint("ranks=0-3;"),
              "groups 'ranks=0-3;', column 11: expected a rank, as in ranks=0-3;4-7");
    EXPECT_EQ(complaint("ranks=0-;1"), "groups 'ranks=0-;1', column 9: expected the last rank of the run");
    EXPECT_EQ(complaint("ranks=0,1"),
              "groups 'ranks=0,1', column 8: expected '+', ';' or the end after a rank");
    EXPECT_EQ(complaint("ranks=-1"), "groups 'ranks=-1', column 7: expected a rank, as in ranks=0-3;4-7");
    EXPECT_EQ(complaint("ranks=0-4000000000"),
              "groups 'ranks=0-4000000000', column 9: the number must be at most 1048575");
}

TEST(GroupsErrors, SayWhyTheyDoNotFitTheRanks) {
    EXPECT_EQ(complaint(Groups::count(9), 8), "groups 'G=9': there are only 8 ranks; G must be from 1 to 8");
    EXPECT_EQ(complaint(Groups::count(2), 1), "groups 'G=2': there is only 1 rank; G must be 1");
    EXPECT_EQ(complaint(Groups::parse("ranks=0-3;4-7"), 6),
              "groups 'ranks=0-3;4-7': rank 6 is named, but there are only 6 ranks; "
              "name each rank from 0 to 5 once");
    EXPECT_EQ(complaint(Groups::parse("ranks=0-3;4-7"), 12),
              "groups 'ranks=0-3;4-7': rank 8 is in no group; name each rank from 0 to 11 once");
    EXPECT_EQ(complaint(Groups::node(), 8, placements("a a b")),
              "groups 'node': the placement must tell where 8 ranks sit, and tells of 3");
    EXPECT_EQ(complaint(Groups::sqrt(), 0), "groups 'sqrt': there must be at least 1 rank to group, not 0");
}

}  // namespace
