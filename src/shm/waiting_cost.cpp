// SPDX-License-Identifier: Apache-2.0
#include "shm/waiting_cost.hpp"

#include <sys/prctl.h>
#include <algorithm>

namespace echelon {
namespace {

using std::chrono::nanoseconds;

/// The minimum of a few samples excludes the time of other processes on this processor.
constexpr int samples = 3;

template <class What>
nanoseconds least_time(const What& what) {
    nanoseconds least = nanoseconds::max();
    for (int i = 0; i < samples; ++i) {
        const auto began = std::chrono::steady_clock::now();
        what();
        least = std::min<nanoseconds>(least, std::chrono::steady_clock::now() - began);
    }
    return std::max(least, nanoseconds(1));
}

nanoseconds round_time() {
    constexpr int rounds = 64;  // rounds per reading of the clock
    const Machinery::Atomic<std::uint32_t> word = 0;
    const nanoseconds all = least_time([&] {
        for (int i = 0; i < rounds && word.load(std::memory_order_acquire) == 0; ++i) Machinery::relax();
    });
    return std::max(all / rounds, nanoseconds(1));
}

/// Time of a sleep that the timer ends as soon as it can, with the smallest timer slack (50 us by default).
/// It contains a way through the scheduler and back, and an interrupt, like a wake-up by another processor.
nanoseconds sleep_time() {
    const int slack = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1ul);
    const Machinery::Atomic<std::uint32_t> word = 0;
    const nanoseconds found = least_time([&] { Machinery::sleep(word, 0, nanoseconds(1)); });
    if (slack > 0) prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(slack));
    return found;
}

}  // namespace

const WaitingCost& waiting_cost() {
    static const WaitingCost cost{round_time(), sleep_time()};
    return cost;
}

Patience patience_by(const WaitingCost& cost, bool crowded) {
    // A waiting rank uses little of a processor after the first millisecond. At most half of that millisecond
    // is for spinning and half for yielding.
    constexpr nanoseconds half = std::chrono::microseconds(500);
    const nanoseconds sleep = std::min(cost.sleep, half);
    Patience found;
    // The nap limits the load after that: looking up takes at most a fortieth of the time, even on slow
    // machines.
    found.nap = std::max(found.nap, 40 * sleep);
    // The program's messages wait at most this long for the first `progress`, and one call of the library is
    // short compared with it.
    found.first_progress = sleep;
    if (crowded) {
        // Another rank needs the processor at once. Returning from a yield is faster than being woken, but it
        // takes turns from ranks that have work. After ten times the cost of a sleep, sleeping adds at most a
        // tenth to the wait.
        found.awake = std::min(10 * sleep, half);
        return found;
    }
    // Spinning lasts as long as a sleep takes. No wait then takes more than twice the time of the better of
    // both ways (Karlin et al. 1991, Empirical studies of competitive spinning for a shared-memory
    // multiprocessor). A transfer takes a small part of it.
    found.spins = int(sleep / cost.round);
    // After that no rank is known to need the processor, and a yield returns at once.
    found.awake = half;
    return found;
}

}  // namespace echelon
