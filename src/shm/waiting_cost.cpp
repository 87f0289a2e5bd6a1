// SPDX-License-Identifier: Apache-2.0
#include "shm/waiting_cost.hpp"

#include <sys/prctl.h>
#include <algorithm>

namespace echelon {
namespace {

using std::chrono::nanoseconds;

/// Others may be given the processor meanwhile: the least of a few.
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
    constexpr int rounds = 64;  // the clock is read once in so many
    const Machinery::Atomic<std::uint32_t> word = 0;
    const nanoseconds all = least_time([&] {
        for (int i = 0; i < rounds && word.load(std::memory_order_acquire) == 0; ++i) Machinery::relax();
    });
    return std::max(all / rounds, nanoseconds(1));
}

/// Nobody wakes this one: the timer does, as soon as it can, where the system is asked not to wait for other timers (`slack`, 50 us
/// otherwise). So there is a way through the scheduler and back, and an interrupt, as where another processor wakes it.
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
    // A rank that waits uses little of a processor from a millisecond on: half of that for spinning at most, half for yielding.
    constexpr nanoseconds half = std::chrono::microseconds(500);
    const nanoseconds sleep = std::min(cost.sleep, half);
    Patience found;
    // Nor from then on, however slow the machine: to look up takes a fortieth of the time at most.
    found.nap = std::max(found.nap, 40 * sleep);
    // The program's messages wait no longer than that for the first time, and one call of the library is little beside it.
    found.first_progress = sleep;
    if (crowded) {
        // Another rank is to have the processor at once. To be back by a yield takes less than to be woken, but takes turns from
        // those who have work; after ten times the price of a sleep that adds a tenth to the wait.
        found.awake = std::min(10 * sleep, half);
        return found;
    }
    // As long as a sleep takes: by that no wait takes more than twice as long as by the better of both ways, whatever the
    // others do (Karlin et al. 1991, Empirical studies of competitive spinning for a shared-memory multiprocessor). A hand-over takes a small part of it.
    found.spins = int(sleep / cost.round);
    // Then nobody is known to need the processor, and who yields is back at once.
    found.awake = half;
    return found;
}

}  // namespace echelon
