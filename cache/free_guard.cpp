// SPDX-License-Identifier: Apache-2.0
#include "cache/free_guard.hpp"

#include "cache/state.hpp"
#include "settings/info_keys.hpp"

namespace echelon {
namespace {

thread_local const FreeGuard* innermost = nullptr;

}  // namespace

FreeGuard::FreeGuard(MPI_Comm comm) : comm_(comm), outer_(innermost) { innermost = this; }

FreeGuard::~FreeGuard() { innermost = outer_; }

bool FreeGuard::is_under_way(MPI_Comm comm) {
    for (const FreeGuard* one = innermost; one != nullptr; one = one->outer_)
        if (one->comm_ == comm) return true;
    return false;
}

int FreeGuard::by(int (*free)(MPI_Comm*), MPI_Comm* comm) {
    // Without a state nothing must be removed. The library reports an invalid handle.
    const MPI_Comm handle = comm != nullptr ? *comm : MPI_COMM_NULL;
    State* const state = State::known(handle);
    if (state == nullptr) {
        const FreeGuard parting(handle);
        return free(comm);
    }
    auto keys = InfoKeys::detach(state->process().keys_keyval(), handle);
    state->detach();
    int code = MPI_SUCCESS;
    {
        const FreeGuard parting(handle);
        code = free(comm);
    }
    if (code == MPI_SUCCESS)
        delete state;
    else
        state->attach(keys != nullptr
                          ? InfoKeys::attach(state->process().keys_keyval(), handle, std::move(keys))
                          : nullptr);
    return code;
}

}  // namespace echelon
