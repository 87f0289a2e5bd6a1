// SPDX-License-Identifier: Apache-2.0
#include "shm/patience.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <chrono>
#include <climits>
#include <ctime>

namespace echelon {

void Bell::wake() {
    sleepers.store(0, std::memory_order_relaxed);
    rings.fetch_add(1, std::memory_order_release);
    syscall(SYS_futex, &rings, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Bell::sleep(std::uint32_t heard) {
    constexpr timespec millisecond{.tv_sec = 0, .tv_nsec = 1000000};
    syscall(SYS_futex, &rings, FUTEX_WAIT, heard, &millisecond, nullptr, 0);
}

void Patience::wait_long(Bell& bell, bool (*ready)(const void*), const void* what) const {
    using Clock = std::chrono::steady_clock;
    constexpr auto awake = std::chrono::microseconds(500);
    const auto go_on = [&] {
        if (progress) progress();
        return !ready(what);
    };
    for (const auto end = Clock::now() + awake; Clock::now() < end;) {
        if (!go_on()) return;
        sched_yield();
    }
    while (go_on()) {
        const std::uint32_t heard = bell.rings.load(std::memory_order_acquire);
        bell.sleepers.store(1, std::memory_order_seq_cst);
        if (ready(what)) return;
        bell.sleep(heard);
    }
}

}  // namespace echelon
