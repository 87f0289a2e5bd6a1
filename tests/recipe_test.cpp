// SPDX-License-Identifier: Apache-2.0
#include "hier/recipe.hpp"
#include "core/error.hpp"
#include "flat/algorithm.hpp"
#include "support/refusal.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

std::string sentence(std::string_view text) {
    return refusal([&] { return Recipe::parse(text); });
}

TEST(Recipe, PrintsWhatItReads) {
    for (const char* text :
         {"native", "ring", "chain(seg=32K)", "knomial(k=4)", "binomial+chain(seg=64K)",
          "leaders(sqrt, chain(seg=32K), binomial)", "positions(G=8, ring, ring)",
          "lanes(node, ring, ring, seg=1M)", "leaders(node, native, leaders(sqrt, ring, native))",
          "leaders(size=4, binomial+chain, recursive_doubling)", "leaders(ranks=0-3;4-7, binomial, binomial)",
          "lanes(ranks=0+2+4;1+3, ring, rabenseifner)",
          "leaders(package, leaders(numa, binomial, binomial), ring)",
          "leaders(numa, leaders(l3, shm, shm), shm)", "leaders(numa, shm, leaders(l3, shm, shm))"})
        EXPECT_EQ(to_string(Recipe::parse(text)), text);
}

TEST(Recipe, DoesNotMindBlanks) {
    EXPECT_EQ(Recipe::parse("  leaders( sqrt ,chain( seg = 32768 ),binomial )"),
              Recipe::parse("leaders(sqrt, chain(seg=32K), binomial)"));
}

TEST(Recipe, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(sentence("lead(sqrt, ring, ring)").substr(0, 82),
              "recipe 'lead(sqrt, ring, ring)', column 1: there is no algorithm or shape 'lead'; ");
    EXPECT_EQ(
        sentence("leaders(sqrt, ring)"),
        "recipe 'leaders(sqrt, ring)', column 19: expected an outer algorithm: leaders(groups, inner, outer)");
    EXPECT_EQ(sentence("ring(seg=1K)"),
              "recipe 'ring(seg=1K)', column 6: ring has no parameter 'seg'; it takes none");
    EXPECT_EQ(sentence("kchain(k=0)"), "recipe 'kchain(k=0)', column 8: k=0: expected a number from 1 on");
    EXPECT_EQ(
        sentence("chain(seg=32Q)"),
        "recipe 'chain(seg=32Q)', column 7: size '32Q': expected a number of bytes such as 512, 32K, 1M or 2G");
    EXPECT_EQ(sentence("ring ring"),
              "recipe 'ring ring', column 6: unexpected 'ring' behind a complete recipe");
    EXPECT_EQ(sentence(""), "recipe '', column 1: expected the name of an algorithm or a shape");
    EXPECT_NE(sentence("leaders(G=0, ring, ring)").find("column 9"), std::string::npos);
    EXPECT_NE(sentence("leaders(half, ring, ring)").find("half"), std::string::npos);
    EXPECT_NE(sentence("chain(seg=1K, seg=2K)").find("given twice"), std::string::npos);
}

/// knomial(k=1) and dissemination(k=1) never ended.
TEST(Recipe, ParametersHaveTheLeastValueOfTheirRow) {
    EXPECT_EQ(sentence("knomial(k=1)"), "recipe 'knomial(k=1)', column 9: k=1: expected a number from 2 on");
    for (const Algorithm& row : catalog()) {
        if (!row.takes_radix) continue;
        const auto with = [&](long k) {
            return std::string(row.name) + '(' + std::string(row.radix_name) + '=' + std::to_string(k) + ')';
        };
        EXPECT_NE(sentence(with(row.least_radix - 1)).find("from " + std::to_string(row.least_radix) + " on"),
                  std::string::npos);
        EXPECT_NE(sentence(with(1L << 40)).find("expected a number"), std::string::npos);
        EXPECT_EQ(to_string(Recipe::parse(with(row.least_radix))), with(row.least_radix));
    }
}

TEST(Recipe, BoundsTheDepth) {
    std::string deep = "ring";
    for (int level = 0; level < 1000; ++level) deep = "leaders(sqrt, ring, " + deep + ")";
    EXPECT_NE(sentence(deep).find("more than 16 levels"), std::string::npos);
}

}  // namespace
}  // namespace echelon
