/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH over UCX spins while it waits, which starves the other ranks if there are more ranks than cores.
   Placed before libucp in the search order, this library gives the core away whenever a poll moved nothing.
   It changes timings: use it only if ranks share cores.

   A process that yields goes to the end of the scheduler's queue. Behind ranks that poll it is back within
   microseconds; behind other work each hand-over takes a whole time slice. A rank that was away for long
   therefore sleeps in its next polls: a process that wakes goes to the front. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned progress_function(void* worker);

static progress_function* real_progress;

enum { long_ns = 1000000, sleeps_in_a_row = 200 };

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void give_core_away(void) {
    static _Thread_local int sleeps = 0;
    if (sleeps > 0) {
        --sleeps;
        nanosleep(&(struct timespec){.tv_nsec = 1}, NULL); /* the timer's slack: some 50 us */
        return;
    }
    const long long before = now_ns();
    sched_yield();
    if (now_ns() - before > long_ns) sleeps = sleeps_in_a_row;
}

/* Echelon looks this name up to learn that waiting ranks give their processor away (mpi/processors.cpp). */
__attribute__((visibility("default"))) const int echelon_gives_processors_away = 1;

__attribute__((constructor)) static void find_real_progress(void) {
    *(void**)&real_progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
}

__attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
    if (real_progress == NULL) find_real_progress(); /* libucp was loaded later */
    if (real_progress == NULL) {
        fputs("libyield.so: no ucp_worker_progress behind this one\n", stderr);
        abort();
    }
    const unsigned events = real_progress(worker);
    if (events == 0) give_core_away();
    return events;
}
