// SPDX-License-Identifier: Apache-2.0
#include "core/file.hpp"

#include "core/error.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

namespace echelon {
namespace {

namespace fs = std::filesystem;

template <class Kind = Error>
[[noreturn]] void fail(const char* what, const std::string& path) {
    throw Kind(path + " cannot be " + what + ": " + std::strerror(errno));
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { (void)close(); }
    int get() const { return number_; }
    int release() { return std::exchange(number_, -1); }
    bool opened() const { return number_ >= 0; }
    bool write(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t written = ::write(number_, text.data(), text.size());
            if (written < 0 && errno != EINTR) return false;
            if (written > 0) text.remove_prefix(std::size_t(written));
        }
        return true;
    }
    /// Some file systems report a full disk only here.
    bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

/// The moment when a draft gets its name. A `late` draft has none until it is complete and vanishes if the
/// process is killed; file systems without O_TMPFILE need `at_once`.
enum class Name { late, at_once };

/// The new text in a file of its own, until it replaces the old file.
class Draft {
public:
    Draft(const std::string& path, Name name)
        : name_(path + '.' + std::to_string(getpid()) + ".part"),
          file_(name == Name::late ? nameless(path) : created()),
          named_(name == Name::at_once && file_.opened()) {}
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
        if (named_) unlink(name_.c_str());
    }
    bool opened() const { return file_.opened(); }
    bool complete(std::string_view text, const std::optional<struct stat>& before) {
        return file_.write(text) && (!before || fchmod(file_.get(), before->st_mode & 07777) == 0) &&
               fsync(file_.get()) == 0 && (named_ || take_name()) && file_.close();
    }
    bool replace(const std::string& path) {
        if (rename(name_.c_str(), path.c_str()) != 0) return false;
        named_ = false;
        return true;
    }

private:
    int created() const {
        unlink(name_.c_str());  // left by a killed process of this id
        return open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    static int nameless(const fs::path& path) {
        const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
        return open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    }
    bool take_name() {
        unlink(name_.c_str());
        const std::string own = "/proc/self/fd/" + std::to_string(file_.get());
        named_ = linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0;
        return named_;
    }
    std::string name_;
    Descriptor file_;
    bool named_;
};

/// Follows all links, also if the last one points to a file that does not exist.
std::string target_of(const std::string& path) {
    fs::path target = path;
    std::error_code failed;
    for (int most = 40; most > 0 && fs::is_symlink(target, failed); --most)
        target = target.parent_path() / fs::read_symlink(target, failed);
    return target;
}

std::optional<struct stat> status_of(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return std::nullopt;
    return found;
}

}  // namespace

std::string read_file(const std::string& path) {
    // A pipe without a writer would wait for ever, and /dev/zero never ends.
    constexpr int patience_ms = 10000;
    constexpr std::size_t most = std::size_t(256) << 20;
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.opened()) fail("read", path);
    std::string text;
    char part[1 << 16];
    while (const ssize_t got = read(file.get(), part, sizeof part)) {
        if (got > 0) {
            text.append(part, std::size_t(got));
            if (text.size() <= most) continue;
            errno = EFBIG;
        } else if (errno == EINTR) {
            continue;
        } else if (errno == EAGAIN) {
            pollfd waits{file.get(), POLLIN, 0};
            if (poll(&waits, 1, patience_ms) != 0) continue;
            errno = ETIMEDOUT;
        }
        fail("read", path);
    }
    return text;
}

void write_file(const std::string& path, std::string_view text) {
    const std::string target = target_of(path);
    const auto before = status_of(target);
    if (before && !S_ISREG(before->st_mode)) {
        Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!file.opened() || !file.write(text) || !file.close()) fail<NotWritten>("written", path);
        return;
    }
    const auto written = [&](Name name) {
        Draft draft(target, name);
        return draft.opened() && draft.complete(text, before) && draft.replace(target);
    };
    if (!written(Name::late) && !written(Name::at_once)) fail<NotWritten>("written", path);
}

FileLock::FileLock(const std::string& path) {
    const std::string name = path + ".lock";
    Descriptor file(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file.opened()) fail("written", name);
    constexpr std::chrono::milliseconds pause(20);
    for (int tries = 30000 / int(pause.count()); flock(file.get(), LOCK_EX | LOCK_NB) != 0; --tries) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || tries == 0) fail("locked", name);
        std::this_thread::sleep_for(pause);
    }
    file_ = file.release();
}

FileLock::~FileLock() { ::close(file_); }

void check_writable(const std::string& path) {
    const std::string target = target_of(path);
    const auto before = status_of(target);
    if (before && !S_ISREG(before->st_mode)) {
        if (S_ISDIR(before->st_mode)) errno = EISDIR;
        if (S_ISDIR(before->st_mode) || access(path.c_str(), W_OK) != 0) fail<NotWritten>("written", path);
        return;
    }
    if (!Draft(target, Name::at_once).opened()) fail<NotWritten>("written", path);
}

}  // namespace echelon
