// SPDX-License-Identifier: Apache-2.0
#include "core/file.hpp"

#include "core/error.hpp"
#include "core/pipe_signal.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
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
    Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { (void)close(); }
    int get() const { return number_; }
    int release() { return std::exchange(number_, -1); }
    bool opened() const { return number_ >= 0; }
    bool write(std::string_view text) const {
        const PipeSignalBlocked blocked;
        while (!text.empty()) {
            const ssize_t written = ::write(number_, text.data(), text.size());
            if (written > 0) text.remove_prefix(std::size_t(written));
            if (written >= 0 || errno == EINTR) continue;
            if (errno != EAGAIN) return false;
            pollfd waits{number_, POLLOUT, 0};  // the program has set O_NONBLOCK
            poll(&waits, 1, -1);
        }
        return true;
    }
    /// Some file systems report a full disk only here.
    bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_;
};

/// The place of a file that is written. Its folder stays open, and no link is followed from here on: another
/// process cannot lead the text elsewhere.
struct Place {
    Descriptor folder;
    std::string name;
    /// Empty if the folder has no entry of this name.
    std::optional<struct stat> before;
    /// True for a link of /proc, e.g. /dev/stdout: it stands for an open file, and its text is no path.
    bool is_open_file;

    /// True for a regular file, and for a new one. Other files are written through.
    bool is_replaced() const { return !is_open_file && (!before || S_ISREG(before->st_mode)); }
};

/// True if another user may have put the entry into a folder that all users can write. This is the kernel's
/// rule of fs.protected_symlinks; it holds here also where that is switched off, and without a sticky bit.
bool is_foreign(const Descriptor& folder, const struct stat& entry) {
    struct stat around {};
    return fstat(folder.get(), &around) != 0 ||
           ((around.st_mode & S_IWOTH) != 0 && entry.st_uid != geteuid() && entry.st_uid != around.st_uid);
}

/// The text of an open symbolic link.
std::string text_of(const Descriptor& link) {
    std::array<char, PATH_MAX> text{};
    const ssize_t length = readlinkat(link.get(), "", text.data(), text.size());
    return {text.data(), length < 0 ? 0 : std::size_t(length)};
}

/// Follows all links, also if the last one points to a file that does not exist.
Place place_of(const std::string& path) {
    Place place{Descriptor(-1), path, {}, false};
    int from = AT_FDCWD;
    for (int most = 40; most > 0; --most) {
        const fs::path rest = place.name;
        const fs::path parent = rest.has_parent_path() ? rest.parent_path() : ".";
        Descriptor folder(openat(from, parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!folder.opened()) fail<NotWritten>("written", path);
        place.folder = std::move(folder);
        from = place.folder.get();
        place.name = rest.has_filename() ? rest.filename() : fs::path(".");
        const Descriptor entry(openat(from, place.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
        if (!entry.opened() && errno == ENOENT) {
            place.before = std::nullopt;
            return place;
        }
        struct stat status {};
        struct statfs system {};
        if (!entry.opened() || fstat(entry.get(), &status) != 0 || fstatfs(entry.get(), &system) != 0)
            fail<NotWritten>("written", path);
        place.before = status;
        place.is_open_file = S_ISLNK(status.st_mode) && system.f_type == PROC_SUPER_MAGIC;
        if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && is_foreign(place.folder, status))
            throw NotWritten(
                path + " cannot be written: '" + place.name +
                "' is a link, a pipe or a device of another user, in a folder that all can write");
        if (!S_ISLNK(status.st_mode) || place.is_open_file) return place;
        place.name = text_of(entry);
    }
    errno = ELOOP;
    fail<NotWritten>("written", path);
}

/// The number of the open file of this process that a link of /proc stands for; nullopt: of no such file.
std::optional<int> own_descriptor(const Place& place) {
    struct stat folder {
    }, own{};
    if (!place.is_open_file || fstat(place.folder.get(), &folder) != 0 || stat("/proc/self/fd", &own) != 0 ||
        folder.st_dev != own.st_dev || folder.st_ino != own.st_ino)
        return std::nullopt;
    return std::atoi(place.name.c_str());
}

/// Opens a file that is not replaced; -1 and errno if that fails. A pipe without a reader is not waited for.
Descriptor opened_through(const Place& place) {
    // A duplicate goes on behind the program's own output, and works for sockets.
    if (const auto own = own_descriptor(place)) return Descriptor(fcntl(*own, F_DUPFD_CLOEXEC, 0));
    const int rule = place.is_open_file ? O_TRUNC : O_NOFOLLOW;
    Descriptor file(
        openat(place.folder.get(), place.name.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | rule));
    if (file.opened()) fcntl(file.get(), F_SETFL, fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
    return file;
}

/// The moment when a draft gets its name. A `late` draft has none until it is complete and vanishes if the
/// process is killed; file systems without O_TMPFILE need `at_once`.
enum class Name { late, at_once };

/// The new text in a file of its own, until it replaces the old file.
class Draft {
public:
    Draft(const Place& place, Name name)
        : place_(place),
          name_(place.name + '.' + std::to_string(getpid()) + ".part"),
          file_(name == Name::late ? nameless() : created()),
          named_(name == Name::at_once && file_.opened()) {}
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
        if (named_) remove();
    }
    bool opened() const { return file_.opened(); }
    bool complete(std::string_view text) {
        return file_.write(text) &&
               (!place_.before || fchmod(file_.get(), place_.before->st_mode & 0777) == 0) &&
               fsync(file_.get()) == 0 && (named_ || take_name()) && file_.close();
    }
    bool replace() {
        if (renameat(folder(), name_.c_str(), folder(), place_.name.c_str()) != 0) return false;
        named_ = false;
        return true;
    }

private:
    int folder() const { return place_.folder.get(); }
    void remove() const { unlinkat(folder(), name_.c_str(), 0); }
    int created() const {
        remove();  // left by a killed process of this id
        return openat(folder(), name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    int nameless() const { return openat(folder(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666); }
    bool take_name() {
        remove();
        const std::string own = "/proc/self/fd/" + std::to_string(file_.get());
        named_ = linkat(AT_FDCWD, own.c_str(), folder(), name_.c_str(), AT_SYMLINK_FOLLOW) == 0;
        return named_;
    }
    const Place& place_;
    std::string name_;
    Descriptor file_;
    bool named_;
};

}  // namespace

std::string read_file(const std::string& path) {
    // A pipe without a writer would wait for ever, and /dev/zero never ends.
    constexpr int patience_ms = 10000;
    constexpr std::size_t most = std::size_t(256) << 20;
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
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

std::string read_regular_file(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
        throw Error(path + " cannot be read: it is a pipe or a device, and no regular file");
    return read_file(path);
}

void write_file(const std::string& path, std::string_view text) {
    const Place place = place_of(path);
    if (!place.is_replaced()) {
        Descriptor file = opened_through(place);
        if (!file.opened() && errno == ENXIO && S_ISFIFO(place.before->st_mode))
            throw NotWritten(path + " cannot be written: it is a pipe that no program reads");
        if (!file.opened() || !file.write(text) || !file.close()) fail<NotWritten>("written", path);
        return;
    }
    const auto written = [&](Name name) {
        Draft draft(place, name);
        return draft.opened() && draft.complete(text) && draft.replace();
    };
    if (!written(Name::late) && !written(Name::at_once)) fail<NotWritten>("written", path);
}

bool is_replaced(const std::string& path) { return place_of(path).is_replaced(); }

FileLock::FileLock(const std::string& path) {
    const std::string name = path + ".lock";
    Descriptor file(
        open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666));
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
    const Place place = place_of(path);
    if (place.is_replaced()) {
        if (!Draft(place, Name::at_once).opened()) fail<NotWritten>("written", path);
        return;
    }
    bool is_writable = false;
    errno = EISDIR;
    if (const auto own = own_descriptor(place)) {
        const int mode = fcntl(*own, F_GETFL);
        is_writable = mode >= 0 && (mode & O_ACCMODE) != O_RDONLY;
        if (mode >= 0) errno = EBADF;
    } else if (!S_ISDIR(place.before->st_mode)) {
        is_writable = faccessat(place.folder.get(), place.name.c_str(), W_OK, 0) == 0;
    }
    if (!is_writable) fail<NotWritten>("written", path);
}

}  // namespace echelon
