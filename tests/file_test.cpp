// SPDX-License-Identifier: Apache-2.0
// Files are written whole or not at all. (A full disk, or a kill in between, destroyed the old contents.)
#include "core/file.hpp"
#include "core/error.hpp"
#include "support/refusal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
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
    static std::string rest_of(int descriptor) {
        std::string text;
        std::array<char, 4096> part{};
        for (ssize_t got = 0; (got = read(descriptor, part.data(), part.size())) > 0;)
            text.append(part.data(), std::size_t(got));
        close(descriptor);
        return text;
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
    for (const std::string& file : {path("pipe"), std::string("/dev/zero")})
        EXPECT_EQ(refusal([&] { (void)read_regular_file(file); }),
                  file + " cannot be read: it is a pipe or a device, and no regular file");
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

// A job whose summary went to a FIFO did not end.
TEST_F(File, ThatNoProgramReadsIsNotWaitedFor) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    alarm(60);
    EXPECT_EQ(refusal([&] { write_file(path("pipe"), "text"); }),
              path("pipe") + " cannot be written: it is a pipe that no program reads");
    alarm(0);
    EXPECT_EQ(files(), 1u);
}

// A slow reader got the beginning, where the pipe was left in the mode in which it was opened.
TEST_F(File, ThatIsAPipeIsWrittenAsFastAsItIsRead) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    const std::string text(1 << 20, 'x');
    const pid_t writer = fork();
    if (writer == 0) {
        write_file(path("pipe"), text);
        _exit(0);
    }
    fcntl(reader, F_SETFL, 0);
    pollfd waits{reader, POLLIN, 0};
    poll(&waits, 1, -1);
    EXPECT_EQ(rest_of(reader), text);
    waitpid(writer, nullptr, 0);
}

// A reader that had gone ended the program by SIGPIPE.
TEST_F(File, WhoseReaderLeavesSaysThat) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    close(ends[0]);
    const std::string name = "/dev/fd/" + std::to_string(ends[1]);
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGPIPE, SIG_DFL);
        const std::string problem = refusal([&] { write_file(name, "text"); });
        sigset_t pending{};
        sigpending(&pending);
        _exit(problem == name + " cannot be written: Broken pipe" && sigismember(&pending, SIGPIPE) == 0 ? 0
                                                                                                         : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    close(ends[1]);
}

// A link of /proc was read as a path: /dev/stdout into a pipe was refused, into a file it was replaced.
TEST_F(File, ThatIsOpenIsWrittenThrough) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const auto named = [](int number) { return "/dev/fd/" + std::to_string(number); };
    check_writable(named(ends[1]));
    write_file(named(ends[1]), "through");
    write_file("/proc/self/fd/" + std::to_string(ends[1]), " a pipe");
    close(ends[1]);
    EXPECT_EQ(rest_of(ends[0]), "through a pipe");

    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    write_file(named(ends[1]), "a socket");
    close(ends[1]);
    EXPECT_EQ(rest_of(ends[0]), "a socket");

    const int file = open(path("a").c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(write(file, "output, ", 8), 8);
    fs::create_symlink(named(file), path("link"));
    write_file(path("link"), "then the text");
    ASSERT_EQ(write(file, ", output", 8), 8);
    EXPECT_EQ(read_file(path("a")), "output, then the text, output");
    close(file);
    const int only_read = open(path("a").c_str(), O_RDONLY);
    for (const auto& call : {std::function([&] { check_writable(named(only_read)); }), std::function([&] {
                                 write_file(named(only_read), "");
                                 write_file(named(only_read), "x");
                             })})
        EXPECT_EQ(refusal(call), named(only_read) + " cannot be written: Bad file descriptor");
    close(only_read);
}

// A full pipe that the program has made nonblocking lost the end of the text.
TEST_F(File, ThatIsOpenAndNonblockingIsWrittenWhole) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_NONBLOCK), 0);
    const std::string text(1 << 20, 'x');
    const pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        write_file("/dev/fd/" + std::to_string(ends[1]), text);
        _exit(0);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, 0);
    EXPECT_EQ(rest_of(ends[0]), text);
    int status = 0;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
}

class SharedFolder : public File {
protected:
    static constexpr uid_t other = 65534, third = 65533;
    void SetUp() override {
        if (geteuid() != 0) GTEST_SKIP() << "only root can make another user's files";
        chmod(folder_.c_str(), 01777);
        fs::create_directory(path("own"));
        write_file(path("own/a"), "old");
    }
    void link(const std::string& target, const std::string& name, uid_t owner) const {
        fs::create_symlink(target, path(name));
        ASSERT_EQ(lchown(path(name).c_str(), owner, owner), 0);
    }
    std::string written(const std::string& name) const {
        const std::string problem = refusal([&] { write_file(path(name), "new"); });
        EXPECT_EQ(refusal([&] { check_writable(path(name)); }), problem);
        return problem;
    }
    std::string foreign(const std::string& asked, const std::string& found) const {
        return path(asked) + " cannot be written: '" + found +
               "' is a link, a pipe or a device of another user, in a folder that all can write";
    }
};

// Another user's link in /tmp led the text over a file of this user, past fs.protected_symlinks.
TEST_F(SharedFolder, HasLinksOfOthersThatAreNotFollowed) {
    link(path("own/a"), "link", other);
    link("own/ahead", "dangling", other);
    link("link", "second", 0);     // this user's link to the other's
    link("mine", "first", other);  // the other's link to this user's
    link("own/a", "mine", 0);
    EXPECT_EQ(written("link"), foreign("link", "link"));
    EXPECT_EQ(written("dangling"), foreign("dangling", "dangling"));
    EXPECT_EQ(written("second"), foreign("second", "link"));
    EXPECT_EQ(written("first"), foreign("first", "first"));
    EXPECT_EQ(read_file(path("own/a")), "old");
    EXPECT_FALSE(fs::exists(path("own/ahead")));
    // Without a sticky bit the kernel would follow them; each user can make them there as well.
    chmod(folder_.c_str(), 0777);
    EXPECT_EQ(written("link"), foreign("link", "link"));
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0666), 0);
    ASSERT_EQ(chown(path("pipe").c_str(), other, other), 0);
    EXPECT_EQ(written("pipe"), foreign("pipe", "pipe"));
}

TEST_F(SharedFolder, HasLinksThatAreFollowed) {
    link("own/a", "mine", 0);
    EXPECT_EQ(written("mine"), "");
    EXPECT_EQ(read_file(path("own/a")), "new");
    // The owner of the folder could lead all its files elsewhere.
    ASSERT_EQ(chown(folder_.c_str(), third, third), 0);
    link("own/b", "theirs", third);
    EXPECT_EQ(written("theirs"), "");
    EXPECT_EQ(read_file(path("own/b")), "new");
    // In a folder that not all can write, links of other users are there by its owner's leave.
    chmod(folder_.c_str(), 0775);
    link("own/c", "others", other);
    EXPECT_EQ(written("others"), "");
    EXPECT_EQ(read_file(path("own/c")), "new");
    EXPECT_TRUE(fs::is_symlink(path("others")));
}

TEST_F(File, ThatIsALinkToItselfIsRefused) {
    fs::create_symlink("b", path("a"));
    fs::create_symlink("a", path("b"));
    EXPECT_EQ(refusal([&] { write_file(path("a"), "new"); }),
              path("a") + " cannot be written: Too many levels of symbolic links");
}

// Another user exchanges the file for a link at any moment.
TEST_F(SharedFolder, HasFilesThatBecomeLinks) {
    chmod(folder_.c_str(), 0777);
    const std::string plain = path("plain"), link = path("link"), file = path("a");
    const pid_t child = fork();
    if (child == 0) {
        if (setuid(other) != 0) _exit(1);
        for (;;) {
            if (symlink("own/a", link.c_str()) == 0) rename(link.c_str(), file.c_str());
            close(open(plain.c_str(), O_WRONLY | O_CREAT, 0600));
            rename(plain.c_str(), file.c_str());
        }
    }
    std::array<int, 2> rounds{};  // that were written, and refused
    while ((rounds[0] < 500 || rounds[1] < 500) && read_file(path("own/a")) == "old")
        ++rounds[refusal([&] { write_file(file, "new"); }).empty() ? 0 : 1];
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(read_file(path("own/a")), "old");
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
