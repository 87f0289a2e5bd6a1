// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

namespace echelon {

/// The platform layer of boards, bells and patience. The test `shm_explorer` replaces it by a layer that
/// visits every interleaving of the ranks.
struct Machinery {
    template <class T>
    using Atomic = std::atomic<T>;
    static_assert(Atomic<std::uint64_t>::is_always_lock_free && Atomic<std::uint32_t>::is_always_lock_free,
                  "counters are shared by processes");
    /// Data that one rank writes, and others read after a counter has announced it.
    template <class T>
    using Plain = T;
    using Progress = std::function<bool()>;

    /// Number of lines of each rank.
    static constexpr std::size_t lines = 64;

    static void relax() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield" ::: "memory");
#endif
    }
    static void yield();
    static void copy(std::byte* into, const std::byte* from, std::size_t bytes) {
        std::memcpy(into, from, bytes);
    }
    /// Sleeps until wake() on the word, for at most `most`. Returns at once if the word differs from `heard`.
    static void sleep(const Atomic<std::uint32_t>& word, std::uint32_t heard, std::chrono::nanoseconds most);
    static void wake(Atomic<std::uint32_t>& word);
};

}  // namespace echelon
