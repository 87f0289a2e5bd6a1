// SPDX-License-Identifier: Apache-2.0
// Findings of trials survive the process and are shared by communicators of one layout.
#include "tuner/learned.hpp"

#include "core/file.hpp"
#include "mpi/fingerprint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>

namespace echelon {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

LearnedDecision found(Bytes from, Bytes to, const char* recipe = "ring") {
    return {.collective = Collective::allreduce,
            .p = 8,
            .layout = "2x4",
            .sizes = {from, to},
            .recipe = Recipe::parse(recipe),
            .seconds = 1e-6,
            .native_seconds = 2e-6};
}

class LearnedFile : public testing::Test {
protected:
    void TearDown() override { fs::remove_all(folder_); }
    Learned program() {
        return Learned(file_, [this](const std::string& sentence) { said_ += sentence; });
    }
    fs::path folder_ = [] {
        std::string name = fs::temp_directory_path() / "echelon_learned_XXXXXX";
        return fs::path(mkdtemp(name.data()));
    }();
    const std::string file_ = folder_ / "learned.json";
    std::string said_;
};

std::vector<LearnedDecision> about(Learned& learned, Bytes bytes, int p = 8, const char* layout = "2x4") {
    return learned.about(Collective::allreduce, p, layout, bytes);
}

TEST_F(LearnedFile, holds_for_that_size_and_hints_at_its_neighbours) {
    Learned one = program();
    one.add(found(1024, 1151));
    one.add(found(8192, 9215, "binomial"));
    EXPECT_EQ(about(one, 1100), std::vector{found(1024, 1151)});
    EXPECT_EQ(about(one, 2000), std::vector{found(1024, 1151)});
    EXPECT_THAT(about(one, 3000), IsEmpty()) << "more than twice as large, less than half as large";
    EXPECT_EQ(about(one, 4096), std::vector{found(8192, 9215, "binomial")});
    EXPECT_THAT(about(one, 1100, 16), IsEmpty());
    EXPECT_THAT(about(one, 1100, 8, "4x2"), IsEmpty());
    EXPECT_THAT(one.about(Collective::reduce, 8, "2x4", 1100), IsEmpty());
    one.save();
    EXPECT_EQ(said_, "");
}

// An empty file, like one made by mktemp, was refused as a profile and stayed empty.
TEST_F(LearnedFile, may_be_empty_at_first) {
    write_file(file_, "");
    Learned one = program();
    EXPECT_THAT(about(one, 1024), IsEmpty());
    one.add(found(1024, 1151));
    one.save();
    EXPECT_EQ(Profile::parse(read_file(file_)).decisions.size(), 1u);
    EXPECT_EQ(said_, "");
}

// /dev/null got a /dev/null.lock beside it, and a pipe blocked the program.
TEST_F(LearnedFile, is_a_regular_file) {
    ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
    Learned one = program();
    one.add(found(1024, 1151));
    one.save();
    EXPECT_THAT(said_, HasSubstr("is not written into " + file_ + " (ECHELON_LEARN): it is no regular file"));
    EXPECT_TRUE(fs::is_fifo(file_));
    EXPECT_FALSE(fs::exists(file_ + ".lock"));
}

TEST_F(LearnedFile, is_what_the_next_program_begins_with) {
    {
        Learned first = program();
        first.add(found(1024, 1151, "binomial"));
        first.save();
    }
    Learned second = program();
    EXPECT_EQ(about(second, 1024), std::vector{found(1024, 1151, "binomial")});
    second.add(found(1024, 1151));
    second.add(found(64, 71));
    second.save();
    Learned third = program();
    EXPECT_EQ(about(third, 1024), std::vector{found(1024, 1151)}) << "the last one holds";
    EXPECT_EQ(Profile::parse(read_file(file_)).decisions.size(), 2u);
    EXPECT_EQ(said_, "");
}

// A job that read the file before others wrote it would discard their findings.
TEST_F(LearnedFile, keeps_what_jobs_find_that_end_at_once) {
    constexpr Bytes jobs = 12;
    for (Bytes job = 0; job < jobs; ++job) {
        if (fork() != 0) continue;
        Learned own = program();
        own.add(found(100 * job, 100 * job));
        own.save();
        _exit(said_.empty() ? 0 : 1);
    }
    for (Bytes job = 0; job < jobs; ++job) {
        int status = 1;
        wait(&status);
        EXPECT_EQ(status, 0);
    }
    Learned after = program();
    for (Bytes job = 0; job < jobs; ++job) EXPECT_EQ(about(after, 100 * job).size(), 1u) << job;
}

TEST_F(LearnedFile, leaves_the_rest_of_a_profile_alone) {
    Profile profile{.fingerprint = fingerprint_here()};
    profile.rules.push_back({.collective = Collective::bcast, .recipe = Recipe::parse("binomial")});
    write_file(file_, to_json(profile));
    Learned one = program();
    one.add(found(8, 8));
    one.save();
    profile.decisions.push_back(found(8, 8));
    EXPECT_EQ(Profile::parse(read_file(file_)), profile);
}

TEST_F(LearnedFile, touches_no_file_that_is_damaged_or_of_another_machine) {
    Profile elsewhere;
    elsewhere.fingerprint.processor = "another processor";
    elsewhere.decisions.push_back(found(8, 8));
    for (const std::string& text : {std::string("{"), to_json(elsewhere)}) {
        write_file(file_, text);
        said_.clear();
        Learned one = program();
        EXPECT_THAT(about(one, 8), IsEmpty());
        EXPECT_THAT(said_, HasSubstr(file_ + " (ECHELON_LEARN) holds is not used: "));
        one.add(found(8, 8));
        said_.clear();
        one.save();
        EXPECT_THAT(said_, HasSubstr("not written into " + file_));
        EXPECT_EQ(read_file(file_), text);
    }
}

}  // namespace
}  // namespace echelon
