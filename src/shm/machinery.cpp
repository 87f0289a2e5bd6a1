// SPDX-License-Identifier: Apache-2.0
#include "shm/machinery.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <climits>
#include <ctime>

namespace echelon {

void Machinery::yield() {
    // sched_yield() puts the caller behind all runnable threads. If these are waiting ranks, too, it returns
    // at once. If they do other work, they get their whole time slices first. A thread that sleeps for the
    // shortest time instead goes to the front when it wakes.
    constexpr std::chrono::milliseconds turn(1);
    constexpr int sleeps_in_a_row = 200;
    static thread_local int sleeps = 0;
    if (sleeps > 0) {
        --sleeps;
        constexpr timespec shortest{.tv_sec = 0, .tv_nsec = 1};
        nanosleep(&shortest, nullptr);
        return;
    }
    const auto before = std::chrono::steady_clock::now();
    sched_yield();
    if (std::chrono::steady_clock::now() - before > turn) sleeps = sleeps_in_a_row;
}

void Machinery::sleep(const Atomic<std::uint32_t>& word, std::uint32_t heard, std::chrono::nanoseconds most) {
    const timespec time{.tv_sec = 0, .tv_nsec = most.count()};
    syscall(SYS_futex, &word, FUTEX_WAIT, heard, &time, nullptr, 0);
}

void Machinery::wake(Atomic<std::uint32_t>& word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace echelon
