// SPDX-License-Identifier: Apache-2.0
// A misspelt word is answered with a near one, or with none if no word is near.
#include "core/spelling.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

TEST(Spelling, names_what_is_near) {
    const std::vector<std::string> words{"reduce", "bcast", "ring"};
    EXPECT_EQ(did_you_mean("bcst", words), "; did you mean bcast?");
    EXPECT_EQ(did_you_mean("rings", words), "; did you mean ring?");
    EXPECT_EQ(did_you_mean("rign", words), "; did you mean ring?") << "two letters changed places";
    EXPECT_EQ(did_you_mean("xyzzy", words), "");
    EXPECT_EQ(is_none_of("bcst", words), "'bcst' is none of reduce, bcast, ring; did you mean bcast?");
    EXPECT_EQ(is_none_of("sum", words), "'sum' is none of reduce, bcast, ring");
}

}  // namespace
}  // namespace echelon
