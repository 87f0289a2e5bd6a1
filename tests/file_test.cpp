// SPDX-License-Identifier: Apache-2.0
// Files are written whole or not at all. (A full disk, or a kill in between, destroyed the old contents.)
#include "core/file.hpp"
#include "core/error.hpp"
#include "support/refusal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>

namespace echelon {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
protected:
    void TearDown() override { fs::remove_all(folder_); }
    std::string path(const std::string& name) const { return folder_ / name; }
    std::size_t files() const {
        return std::size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    fs::path folder_ = [] {
        std::string name = fs::temp_directory_path() / "echelon_file_XXXXXX";
        return fs::path(mkdtemp(name.data()));
    }();
};

TEST_F(File, HoldsWhatWasWritten) {
    write_file(path("a"), "first, and longer");
    write_file(path("a"), "second");
    EXPECT_EQ(read_file(path("a")), "second");
    EXPECT_EQ(files(), 1u);
}

// A file without end was read until memory ran out, and a pipe without a writer was waited for.
TEST_F(File, EndsAtSomeLength) {
    EXPECT_EQ(refusal([] { (void)read_file("/dev/zero"); }), "/dev/zero cannot be read: File too large");
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_EQ(read_file(path("pipe")), "");
}

TEST_F(File, ReadsFromAPipe) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        usleep(100000);
        _exit(write(ends[1], "late", 4) == 4 ? 0 : 1);
    }
    close(ends[1]);
    EXPECT_EQ(read_file("/dev/fd/" + std::to_string(ends[0])), "late");
    close(ends[0]);
    waitpid(writer, nullptr, 0);
}

TEST_F(File, KeepsItsModeAndTheLinkToIt) {
    write_file(path("a"), "1");
    chmod(path("a").c_str(), 0640);
    fs::create_symlink("a", path("link"));
    write_file(path("link"), "2");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read_file(path("a")), "2");
    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
    fs::create_symlink("later", path("ahead"));
    write_file(path("ahead"), "3");
    EXPECT_EQ(read_file(path("later")), "3");
}

TEST_F(File, ThatDoesNotFitLeavesWhatWasThere) {
    write_file(path("a"), "old");
    // In a child process a limit on the length of files stands for a full disk.
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{1000, 1000};
        setrlimit(RLIMIT_FSIZE, &small);
        const std::string problem = refusal([&] { write_file(path("a"), std::string(100000, 'x')); });
        _exit(problem.find("cannot be written: File too large") == std::string::npos ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_file(path("a")), "old");
    EXPECT_EQ(files(), 1u);
}

// Each killed job left the beginning of a file beside ECHELON_LEARN's.
TEST_F(File, LeavesNothingBesideItWhereItsWriterIsKilled) {
    const int nameless = open(folder_.c_str(), O_WRONLY | O_TMPFILE, 0600);
    if (nameless < 0) GTEST_SKIP() << "this file system has no files without a name";
    close(nameless);
    write_file(path("a"), "old");
    const pid_t child = fork();
    if (child == 0) {
        const rlimit small{1000, 1000}, none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_FSIZE, &small);
        write_file(path("a"), std::string(100000, 'x'));
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    EXPECT_EQ(read_file(path("a")), "old");
    EXPECT_EQ(files(), 1u);
}

TEST_F(File, IsOldOrNewWheneverItsWriterIsKilled) {
    const std::string old_text(200000, 'o'), new_text(200000, 'n');
    write_file(path("a"), old_text);
    for (int round = 0; round < 60; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            for (bool newer = true;; newer = !newer) write_file(path("a"), newer ? new_text : old_text);
        }
        usleep(useconds_t(100 + 97 * round));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        const std::string found = read_file(path("a"));
        ASSERT_TRUE(found == old_text || found == new_text) << found.size() << " bytes in round " << round;
    }
}

TEST_F(File, ThatCannotBeWrittenSaysWhyBeforehand) {
    EXPECT_EQ(refusal([&] { check_writable(path("none/a")); }),
              path("none/a") + " cannot be written: No such file or directory");
    EXPECT_EQ(refusal([&] { check_writable(folder_); }),
              folder_.string() + " cannot be written: Is a directory");
    EXPECT_EQ(refusal([&] { (void)read_file(path("a")); }),
              path("a") + " cannot be read: No such file or directory");
    check_writable(path("a"));
    check_writable("/dev/null");
    write_file("/dev/null", "gone");
    EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace echelon
