/* SPDX-License-Identifier: Apache-2.0 */
/* MPICH over UCX spins while it waits, which starves the other ranks when there are more ranks than cores.
   Placed before libucp in the search order, this gives the core away whenever a poll moved nothing.
   Not where each rank has a core: it changes timings. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned progress_function(void* worker);

static progress_function* real_progress;

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
    if (events == 0) sched_yield();
    return events;
}
