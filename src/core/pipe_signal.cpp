// SPDX-License-Identifier: Apache-2.0
#include "core/pipe_signal.hpp"

#include <pthread.h>
#include <cerrno>
#include <ctime>

namespace echelon {
namespace {

sigset_t pipe_signal() {
    sigset_t made{};
    sigemptyset(&made);
    sigaddset(&made, SIGPIPE);
    return made;
}

}  // namespace

PipeSignalBlocked::PipeSignalBlocked() {
    sigset_t pending{};
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    const sigset_t pipe = pipe_signal();
    pthread_sigmask(SIG_BLOCK, &pipe, &before_);
}

PipeSignalBlocked::~PipeSignalBlocked() {
    const int problem = errno;  // of the write
    const sigset_t pipe = pipe_signal();
    constexpr timespec at_once{};
    // A pending signal of an earlier write is the program's own.
    while (!was_pending_ && sigtimedwait(&pipe, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = problem;
}

}  // namespace echelon
