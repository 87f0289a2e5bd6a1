// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace echelon {

/// A word that ranks sleep on: whoever has done what others may wait for rings it.
struct Bell {
    std::atomic<std::uint32_t> rings = 0;
    std::atomic<std::uint32_t> sleepers = 0;

    /// Costs a load of one's own line where nobody sleeps. A sleeper that lay down at this very moment may not
    /// be seen: a fence in every call would cost more than that it looks up by itself a little later.
    void ring() {
        if (sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
            wake();
    }
    void wake();
    /// Until it rings, or a millisecond.
    void sleep(std::uint32_t heard);
};

/// How a rank waits for others: it spins as long as a hand-over may take, where each has a core to itself;
/// then lets others run; then sleeps. In between it calls `progress`, so that the program's messages move.
struct Patience {
    /// Rounds of spinning, some tens of nanoseconds each.
    int spins = 1000;
    std::function<void()> progress = nullptr;

    /// Returns when `ready()`.
    template <class Ready>
    void wait(Bell& bell, const Ready& ready) const {
        for (int i = 0; i < spins; ++i) {
            if (ready()) return;
            relax();
        }
        wait_long(
            bell, [](const void* what) { return (*static_cast<const Ready*>(what))(); }, &ready);
    }

private:
    static void relax() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield" ::: "memory");
#endif
    }
    void wait_long(Bell& bell, bool (*ready)(const void*), const void* what) const;
};

}  // namespace echelon
