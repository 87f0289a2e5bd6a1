// SPDX-License-Identifier: Apache-2.0
#include "mpi/progress_thread.hpp"

#include <csignal>

namespace echelon {

void ProgressThread::start() {
    if (thread_.joinable()) return;
    // The program's signals are for its own threads.
    sigset_t all{}, before{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        thread_ = std::thread([this] { run(); });
    } catch (...) {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ProgressThread::end() {
    {
        const std::scoped_lock lock(mutex_);
        ends_ = true;
        wake();
    }
    if (thread_.joinable()) thread_.join();
}

void ProgressThread::run() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
        if (!advance_()) {
            something_.wait(lock);
            continue;
        }
        lock.unlock();
        do std::this_thread::yield();
        while (waiting_ > 0);
        lock.lock();
    }
}

}  // namespace echelon
