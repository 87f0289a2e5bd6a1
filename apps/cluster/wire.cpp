// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/wire.hpp"

#include "apps/cluster/system.hpp"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>

namespace echelon::cluster {
namespace {

Nanoseconds now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void note(Punctuality& punctuality, Nanoseconds late) {
    const auto by = std::uint64_t(std::max<Nanoseconds>(late, 0));
    punctuality.frames.fetch_add(1, std::memory_order_relaxed);
    punctuality.late_ns.fetch_add(by, std::memory_order_relaxed);
    if (by > punctuality.latest_ns.load(std::memory_order_relaxed))
        punctuality.latest_ns.store(by, std::memory_order_relaxed);
}

/// Bound on frames read at once from one node, to be fair to the others.
constexpr int most_frames_at_once = 32;

template <typename Take>
void read_all(Tap& tap, Take take) {
    for (int i = 0; i < most_frames_at_once; ++i) {
        auto frame = tap.read();
        if (!frame) return;
        if (const auto to = destination(*frame)) take(std::move(frame), *to);
    }
}

}  // namespace

bool move_frames(Cables& cables, const Shape& shape, Punctuality& punctuality) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGCHLD}) sigaddset(&signals, signal);
    const Descriptor ends(signalfd(-1, &signals, SFD_CLOEXEC)), ready(epoll_create1(EPOLL_CLOEXEC));
    const std::size_t nodes = cables.shaped.size(), last = nodes + cables.control.size();
    const auto watch = [&](int descriptor, std::size_t number) {
        epoll_event event{.events = EPOLLIN, .data = {.u64 = number}};
        must(epoll_ctl(ready.get(), EPOLL_CTL_ADD, descriptor, &event), "epoll");
    };
    for (std::size_t i = 0; i < nodes; ++i) watch(cables.shaped[i].descriptor(), i);
    for (std::size_t i = nodes; i < last; ++i) watch(cables.control[i - nodes].descriptor(), i);
    watch(ends.get(), last);

    Fabric fabric(shape);
    std::array<epoll_event, 64> events;
    while (true) {
        timespec span{};
        const auto next = fabric.next();
        if (next) {
            const Nanoseconds left = std::max<Nanoseconds>(*next - now(), 0);
            span = {.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
        }
        // Not epoll_wait: its milliseconds are too coarse.
        const long count = syscall(SYS_epoll_pwait2, ready.get(), events.data(), int(events.size()),
                                   next ? &span : nullptr, nullptr, std::size_t(0));
        if (count < 0 && errno != EINTR) refused("epoll_pwait2");
        const Nanoseconds time = now();
        for (long i = 0; i < count; ++i) {
            const auto from = std::size_t(events[std::size_t(i)].data.u64);
            if (from == last) {
                signalfd_siginfo signal{};
                must(read(ends.get(), &signal, sizeof signal), "signalfd");
                if (signal.ssi_signo == SIGTERM) return true;
                if (waitpid(-1, nullptr, WNOHANG) > 0) return false;
                continue;
            }
            if (from < nodes)
                read_all(cables.shaped[from], [&](auto frame, int to) {
                    if (std::size_t(to) < nodes) fabric.send(int(from), to, std::move(frame), time);
                });
            else
                read_all(cables.control[from - nodes], [&](auto frame, int to) {
                    if (std::size_t(to) < cables.control.size())
                        cables.control[std::size_t(to)].write(*frame);
                });
        }
        while (const auto frame = fabric.arrived(now())) {
            cables.shaped[std::size_t(frame->to)].write(*frame);
            note(punctuality, now() - frame->tail);
        }
    }
}

}  // namespace echelon::cluster
