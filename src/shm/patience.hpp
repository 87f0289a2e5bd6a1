// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shm/machinery.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace echelon {

/// A futex word that ranks sleep on. A rank rings it after each act that others may wait for.
template <class On>
struct BellOn {
    typename On::template Atomic<std::uint32_t> rings = 0;
    typename On::template Atomic<std::uint32_t> sleepers = 0;

    /// Costs a load of an own line if no rank sleeps. A rank that falls asleep at this very moment may be
    /// missed; it then wakes by itself after its nap. A fence in every call would cost more.
    void ring() {
        if (sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
            wake();
    }
    void wake() {
        sleepers.store(0, std::memory_order_relaxed);
        rings.fetch_add(1, std::memory_order_release);
        On::wake(rings);
    }
};

/// How a rank waits for others: it spins, then yields, then sleeps. It calls `progress` from time to time to
/// advance the program's messages: whenever the wait has doubled since the last call, and at least every two
/// milliseconds; in each round while `progress` returns true, because other ranks wait for this one. The
/// durations are measured (waiting_cost); by default the rank sleeps at once.
template <class On>
struct PatienceOn {
    /// Rounds of spinning.
    int spins = 0;
    /// Time of yielding.
    std::chrono::nanoseconds awake{0};
    /// Longest sleep before it looks again without being woken.
    std::chrono::nanoseconds nap = std::chrono::milliseconds(1);
    /// Time of yielding and sleeping before the first call of `progress`.
    std::chrono::nanoseconds first_progress{0};
    typename On::Progress progress = nullptr;

    /// Returns when `ready()` is true.
    template <class Ready>
    void wait(BellOn<On>& bell, const Ready& ready) const {
        for (int i = 0; i < spins; ++i) {
            if (ready()) return;
            On::relax();
        }
        wait_long(
            bell, [](const void* what) { return (*static_cast<const Ready*>(what))(); }, &ready);
    }

private:
    void wait_long(BellOn<On>& bell, bool (*ready)(const void*), const void* what) const;
};

template <class On>
void PatienceOn<On>::wait_long(BellOn<On>& bell, bool (*ready)(const void*), const void* what) const {
    using Clock = std::chrono::steady_clock;
    constexpr auto longest = std::chrono::microseconds(2000);
    const auto began = Clock::now();
    auto now = began, again = began + first_progress;
    bool is_awaited = false;
    const auto go_on = [&] {
        now = Clock::now();
        if (progress && now >= again) {
            is_awaited = progress();
            now = Clock::now();
            if (!is_awaited) again = now + std::min<Clock::duration>(now - began, longest);
        }
        return !ready(what);
    };
    while (now < began + awake) {
        if (!go_on()) return;
        On::yield();
    }
    while (go_on()) {
        if (is_awaited) {
            On::yield();
            continue;
        }
        const std::uint32_t heard = bell.rings.load(std::memory_order_acquire);
        bell.sleepers.store(1, std::memory_order_seq_cst);
        if (ready(what)) return;
        On::sleep(bell.rings, heard, nap);
    }
}

using Bell = BellOn<Machinery>;
using Patience = PatienceOn<Machinery>;
extern template struct PatienceOn<Machinery>;

}  // namespace echelon
