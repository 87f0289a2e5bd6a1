// SPDX-License-Identifier: Apache-2.0
#include "shm/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstring>
#include <random>
#include <string>

namespace echelon {
namespace {

/// True if a file may have this length. A longer file than the user's limit raises a signal that kills the
/// process.
bool may_be_as_long(Bytes bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

std::byte* map(int file, Bytes bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

}  // namespace

std::optional<Segment> Segment::make(Bytes bytes) {
    const Bytes all = bytes + reserved;
    const int file = may_be_as_long(all) ? memfd_create("echelon", MFD_CLOEXEC) : -1;
    if (file < 0) return std::nullopt;
    std::byte* const memory = ftruncate(file, off_t(all)) == 0 ? map(file, all) : nullptr;
    if (memory == nullptr) {
        close(file);
        return std::nullopt;
    }
    std::random_device random;
    const std::uint64_t mark = (std::uint64_t(random()) << 32 | random()) | 1;
    std::memcpy(memory, &mark, sizeof mark);
    return Segment(memory, all, file);
}

std::optional<Segment> Segment::open(const Address& address) {
    if (address.file < 0) return std::nullopt;
    const std::string path =
        "/proc/" + std::to_string(address.process) + "/fd/" + std::to_string(address.file);
    // A process with this id in another container may have any file there.
    struct stat found {};
    if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode) ||
        std::uint64_t(found.st_size) != address.bytes)
        return std::nullopt;
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return std::nullopt;
    std::byte* const memory = map(file, address.bytes);
    close(file);
    if (memory == nullptr) return std::nullopt;
    Segment made(memory, address.bytes, -1);
    std::uint64_t mark = 0;
    std::memcpy(&mark, memory, sizeof mark);
    return mark == address.mark ? std::optional(std::move(made)) : std::nullopt;
}

Segment::~Segment() {
    hide();
    if (memory_ != nullptr) munmap(memory_, bytes_);
}

Segment::Address Segment::address() const {
    Address made{.process = getpid(), .file = file_, .bytes = bytes_};
    std::memcpy(&made.mark, memory_, sizeof made.mark);
    return made;
}

void Segment::hide() {
    if (file_ >= 0) close(std::exchange(file_, -1));
}

}  // namespace echelon
