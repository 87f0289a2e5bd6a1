// SPDX-License-Identifier: Apache-2.0
#include "core/say.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <csignal>

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

// A sentence into a pipe that no program reads ended the program by SIGPIPE.
TEST(Say, does_not_end_the_program) {
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGPIPE, SIG_DFL);
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0 || dup2(ends[1], STDERR_FILENO) < 0) _exit(1);
        close(ends[0]);
        say("a sentence");
        say_lines("several\nlines\n");
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace echelon
