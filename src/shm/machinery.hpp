// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace echelon {

/// What boards, bells and patience stand on. The test `shm_explorer` puts another under the same text, one that goes
/// through all orders in which ranks can meet.
struct Machinery {
    template <class T>
    using Atomic = std::atomic<T>;
    static_assert(Atomic<std::uint64_t>::is_always_lock_free && Atomic<std::uint32_t>::is_always_lock_free,
                  "counters are shared by processes");
    /// What one rank writes, and others read when a counter says so.
    template <class T>
    using Plain = T;
    using Progress = std::function<void()>;

    /// Lines of each rank.
    static constexpr std::size_t lines = 64;

    static void relax() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield" ::: "memory");
#endif
    }
    static void yield();
    /// Until another wakes those who sleep on the word, or so long; not at all if it has `heard` no more.
    static void sleep(const Atomic<std::uint32_t>& word, std::uint32_t heard, std::chrono::nanoseconds most);
    static void wake(Atomic<std::uint32_t>& word);
};

}  // namespace echelon
