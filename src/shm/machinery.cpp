// SPDX-License-Identifier: Apache-2.0
#include "shm/machinery.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <climits>
#include <ctime>

namespace echelon {

void Machinery::yield() { sched_yield(); }

void Machinery::sleep(const Atomic<std::uint32_t>& word, std::uint32_t heard) {
    constexpr timespec millisecond{.tv_sec = 0, .tv_nsec = 1000000};
    syscall(SYS_futex, &word, FUTEX_WAIT, heard, &millisecond, nullptr, 0);
}

void Machinery::wake(Atomic<std::uint32_t>& word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace echelon
