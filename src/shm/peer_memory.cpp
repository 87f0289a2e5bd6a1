// SPDX-License-Identifier: Apache-2.0
#include "shm/peer_memory.hpp"

#include <sys/uio.h>
#include <unistd.h>
#include <cerrno>
#include <random>

namespace echelon {
namespace {

/// Copies in steps, because a call moves at most 2 GB.
int copy(decltype(&process_vm_readv) call, std::int64_t process, void* here, std::uint64_t there,
         Bytes bytes) {
    for (Bytes done = 0; done < bytes;) {
        const iovec own{static_cast<std::byte*>(here) + done, bytes - done};
        const iovec other{reinterpret_cast<void*>(there + done), bytes - done};
        const ssize_t some = call(pid_t(process), &own, 1, &other, 1, 0);
        if (some <= 0) return some == 0 ? EFAULT : errno;
        done += Bytes(some);
    }
    return 0;
}

}  // namespace

PeerMemory PeerMemory::own() {
    static std::uint64_t mark = [] {
        std::random_device random;
        return (std::uint64_t(random()) << 32 | random()) | 1;
    }();
    return {.process = getpid(), .address = reinterpret_cast<std::uint64_t>(&mark), .mark = mark};
}

bool PeerMemory::can_be_reached() const {
    std::uint64_t found = 0;
    return read(&found, address, sizeof found) == 0 && found == mark &&
           write(address, &mark, sizeof mark) == 0;
}

int PeerMemory::read(void* into, std::uint64_t from, Bytes bytes) const {
    return copy(process_vm_readv, process, into, from, bytes);
}

int PeerMemory::write(std::uint64_t into, const void* from, Bytes bytes) const {
    return copy(process_vm_writev, process, const_cast<void*>(from), into, bytes);
}

}  // namespace echelon
