// SPDX-License-Identifier: Apache-2.0
// UCX's name by which MPICH polls the network, in every call that waits or tests: Echelon's nonblocking
// collectives advance there.
#include "mpi/progress.hpp"

#if ECHELON_PROGRESS_BY_UCX
#include "mpi/loaded_function.hpp"

namespace {

using Poll = unsigned(void* worker);

constinit Poll* poll = nullptr;

}  // namespace

extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
    if (poll == nullptr) [[unlikely]]
        poll = echelon::loaded_function<Poll>("ucp_worker_progress", "libucp.so.0", RTLD_NEXT);
    const unsigned events = poll != nullptr ? poll(worker) : 0;
    echelon::Progress::polled();
    return events;
}
#endif
