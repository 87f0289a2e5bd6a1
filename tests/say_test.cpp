// SPDX-License-Identifier: Apache-2.0
#include "core/say.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(Say, leaves_a_sentence_as_it_is) {
    EXPECT_EQ(one_line("'maybe' is neither 0 nor 1, \xc3\xbc"), "'maybe' is neither 0 nor 1, \xc3\xbc");
}

// A value with the end of a line in it made two lines of a sentence, the second without "echelon: ".
TEST(Say, writes_control_characters_as_in_C) {
    EXPECT_EQ(one_line("'a\nb\x1b[31m\x7f' is neither"), "'a\\nb\\x1b[31m\\x7f' is neither");
}

// A value of 100,000 letters was quoted twice.
TEST(Say, leaves_out_the_middle_of_what_is_too_long) {
    const std::string line = one_line("begins " + std::string(100000, 'x') + " ends");
    EXPECT_LT(line.size(), 1300u);
    EXPECT_TRUE(line.starts_with("begins xxx"));
    EXPECT_TRUE(line.ends_with("xxx ends"));
    EXPECT_NE(line.find(" ... (98812 bytes) ... "), std::string::npos) << line;
}

}  // namespace
}  // namespace echelon
