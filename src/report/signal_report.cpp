// SPDX-License-Identifier: Apache-2.0
#include "report/signal_report.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

namespace echelon {
namespace {

// A signal handler may call few functions: it wakes a thread through this pipe.
std::array<int, 2> pipe_ends{-1, -1};
pid_t owner = 0;

void end_by(int signal) {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    sigaction(signal, &plain, nullptr);
    ::kill(getpid(), signal);
}

void on_signal(int signal) {
    const int before = errno;
    const char number = char(signal);
    // A forked child lacks the thread.
    if (getpid() != owner || ::write(pipe_ends[1], &number, 1) != 1) end_by(signal);
    errno = before;
}

void wait_for_signal(void (*say)()) {
    char number = 0;
    ssize_t read_bytes = 0;
    while ((read_bytes = ::read(pipe_ends[0], &number, 1)) < 0 && errno == EINTR) {
    }
    if (read_bytes != 1) return;
    say();
    end_by(number);
}

}  // namespace

void before_deadly_signals(void (*say)()) {
    if (owner != 0 || pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return;
    owner = getpid();
    // The new thread blocks all signals: they are for the program's threads.
    sigset_t all{}, before{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread(wait_for_signal, say).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    for (const int signal : {SIGTERM, SIGINT}) {
        struct sigaction now {};
        if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
            now.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours {};
        ours.sa_handler = on_signal;
        ours.sa_flags = SA_RESTART;
        sigaction(signal, &ours, nullptr);
    }
}

}  // namespace echelon
