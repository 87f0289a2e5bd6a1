// SPDX-License-Identifier: Apache-2.0
// UCX's name by which MPICH polls the network, in every call that waits or tests: Echelon's nonblocking
// collectives advance there.
#include "mpi/progress.hpp"

#if ECHELON_PROGRESS_BY_UCX
#include <dlfcn.h>

namespace {

using Poll = unsigned(void* worker);

/// UCX's function. RTLD_NEXT does not find the UCX of an MPI library that a program loads for itself.
Poll* find_poll() {
    void* found = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (found == nullptr)
        if (void* const library = dlopen("libucp.so.0", RTLD_NOW | RTLD_NOLOAD))
            found = dlsym(library, "ucp_worker_progress");
    return reinterpret_cast<Poll*>(found);
}

constinit Poll* poll = nullptr;

}  // namespace

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
    if (poll == nullptr) [[unlikely]]
        poll = find_poll();
    const unsigned events = poll != nullptr ? poll(worker) : 0;
    echelon::Progress::polled();
    return events;
}
#endif
