// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace echelon {

/// A thread that advances pending calls, and the lock that it shares with the program's threads. It sleeps
/// while nothing is pending, yields after each step, and lets all threads that wait for the lock go first.
class ProgressThread {
public:
    /// Moves on without waiting, under the lock. True: something is pending.
    using Advance = bool();
    explicit ProgressThread(Advance* advance) : advance_(advance) {}

    /// For the program's threads.
    void lock() {
        ++waiting_;
        mutex_.lock();
        --waiting_;
    }
    void unlock() { mutex_.unlock(); }
    /// Starts the thread, unless it runs. Error: the system has none left. Requires: the lock.
    void start();
    /// Says that something is pending. Requires: the lock.
    void wake() { something_.notify_one(); }
    /// Ends the thread, if it runs. Requires: not the lock; one caller.
    void end();

private:
    void run();

    Advance* const advance_;
    std::mutex mutex_;
    std::condition_variable something_;
    std::atomic<int> waiting_ = 0;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace echelon
