// SPDX-License-Identifier: Apache-2.0
// Progress of a calibration: a bar on a terminal, lines elsewhere, and a bar behind launchers.
#include "bench/progress.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echelon::bench {
namespace {

TEST(Progress, is_a_bar_on_a_terminal_or_where_it_is_asked_for) {
    EXPECT_EQ(parse_progress("auto", true), Progress::bar);
    EXPECT_EQ(parse_progress("auto", false), Progress::lines);
    EXPECT_EQ(parse_progress("bar", false), Progress::bar);
    EXPECT_EQ(parse_progress("lines", true), Progress::lines);
    EXPECT_THAT(
        [] { (void)parse_progress("line", true); },
        testing::ThrowsMessage<Error>("--progress: 'line' is none of auto, bar, lines; did you mean lines?"));
}

TEST(Progress, knows_what_is_left) {
    EXPECT_EQ(seconds_left(8, 15, 0.1), 7);
    EXPECT_EQ(seconds_left(16, 15, 0.1), 0);
    EXPECT_DOUBLE_EQ(seconds_left(8, 0, 0.25), 24);
    EXPECT_LT(seconds_left(8, 0, 0), 0) << "not known";
}

TEST(Progress, says_so) {
    EXPECT_EQ(progress_text(Progress::lines, "p", "bcast 8", 8, 7), "p: bcast 8, 8 s, 7 s left\n");
    EXPECT_EQ(progress_text(Progress::lines, "p", "bcast 8", 8, -1), "p: bcast 8, 8 s\n");
    EXPECT_EQ(progress_text(Progress::none, "p", "bcast 8", 8, 7), "");
    const std::string half = progress_text(Progress::bar, "p", "bcast 8", 10, 10);
    EXPECT_THAT(half, testing::StartsWith("\r[##########..........] 10 s, 10 s left: bcast 8"));
    EXPECT_EQ(half.find('\n'), std::string::npos);
    const std::string wide = progress_text(Progress::bar, "p", std::string(500, 'x'), 30, 0);
    EXPECT_LT(wide.size(), 90u) << "a line that is broken is not written over";
    EXPECT_THAT(wide, testing::HasSubstr("[####################]"));
}

}  // namespace
}  // namespace echelon::bench
