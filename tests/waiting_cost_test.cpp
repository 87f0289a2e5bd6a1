// SPDX-License-Identifier: Apache-2.0
// Times for which a rank spins, yields and sleeps, derived from their costs on this machine.
#include "shm/waiting_cost.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <atomic>
#include <ctime>
#include <thread>

namespace echelon {
namespace {

using namespace std::chrono_literals;

TEST(Patience, spins_as_long_as_a_sleep_takes) {
    for (const auto round : {4ns, 40ns}) {
        const Patience found = patience_by({.round = round, .sleep = 20us}, false);
        EXPECT_EQ(found.spins * round, 20us);
        EXPECT_EQ(found.first_progress, 20us);
        EXPECT_GT(found.awake, 20us);  // no other process needs the processor
    }
}

TEST(Patience, gives_the_processor_away_at_once_where_others_need_it) {
    const Patience found = patience_by({.round = 10ns, .sleep = 20us}, true);
    EXPECT_EQ(found.spins, 0);
    EXPECT_EQ(found.awake, 200us);
    EXPECT_LT(patience_by({.round = 10ns, .sleep = 2us}, true).awake, found.awake);
}

/// Costs measured on a busy machine.
TEST(Patience, sleeps_after_a_millisecond_however_long_that_takes) {
    for (const bool crowded : {false, true}) {
        const Patience found = patience_by({.round = 10ns, .sleep = 1s}, crowded);
        EXPECT_LE(found.spins * 10ns + found.awake, 1ms);
        EXPECT_GT(found.awake, 0us);
        EXPECT_EQ(found.nap, 20ms) << "and looks up seldom";
        EXPECT_EQ(patience_by({.round = 10ns, .sleep = 20us}, crowded).nap, 1ms);
    }
}

TEST(WaitingCost, is_measured_once_and_leaves_no_trace) {
    const int slack = prctl(PR_GET_TIMERSLACK);
    const WaitingCost first = waiting_cost();
    EXPECT_EQ(prctl(PR_GET_TIMERSLACK), slack);
    EXPECT_GE(first.round, 1ns);
    EXPECT_LT(first.round, first.sleep);
    EXPECT_EQ(waiting_cost().sleep, first.sleep);
    EXPECT_EQ(waiting_cost().round, first.round);
}

std::chrono::nanoseconds processor_time(std::thread& thread) {
    clockid_t clock{};
    timespec used{};
    pthread_getcpuclockid(thread.native_handle(), &clock);
    clock_gettime(clock, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

TEST(Patience, uses_less_than_a_twentieth_of_a_processor_after_a_millisecond) {
    for (const bool crowded : {false, true}) {
        const Patience patience = patience_by(waiting_cost(), crowded);
        Bell bell;
        std::atomic<bool> ready = false;
        std::thread waits(
            [&] { patience.wait(bell, [&] { return ready.load(std::memory_order_acquire); }); });
        std::this_thread::sleep_for(1ms);
        while (bell.sleepers.load() == 0) std::this_thread::yield();  // it may have begun late
        const auto before = processor_time(waits),
                   began = std::chrono::steady_clock::now().time_since_epoch();
        auto used = 0ns;
        while (used == 0ns) {  // it looks up by itself now and then
            std::this_thread::sleep_for(300ms);
            used = processor_time(waits) - before;
        }
        const auto passed = std::chrono::steady_clock::now().time_since_epoch() - began;
        ready.store(true, std::memory_order_release);
        bell.ring();
        waits.join();
        EXPECT_LT(double(used.count()), 0.05 * double(passed.count())) << crowded;
    }
}

}  // namespace
}  // namespace echelon
