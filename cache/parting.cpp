// SPDX-License-Identifier: Apache-2.0
#include "cache/parting.hpp"

#include "cache/info_keys.hpp"
#include "cache/state.hpp"

namespace echelon {
namespace {

thread_local const Parting* innermost = nullptr;

}  // namespace

Parting::Parting(MPI_Comm comm) : comm_(comm), outer_(innermost) { innermost = this; }

Parting::~Parting() { innermost = outer_; }

bool Parting::is_under_way(MPI_Comm comm) {
    for (const Parting* one = innermost; one != nullptr; one = one->outer_)
        if (one->comm_ == comm) return true;
    return false;
}

int Parting::by(int (*free)(MPI_Comm*), MPI_Comm* comm) {
    // Without a state there is nothing of ours, and the handle may be none: the library says so.
    const MPI_Comm handle = comm != nullptr ? *comm : MPI_COMM_NULL;
    State* const state = State::known(handle);
    if (state == nullptr) {
        const Parting parting(handle);
        return free(comm);
    }
    auto keys = InfoKeys::detach(state->process(), handle);
    state->detach();
    int code = MPI_SUCCESS;
    {
        const Parting parting(handle);
        code = free(comm);
    }
    if (code == MPI_SUCCESS)
        delete state;
    else
        state->attach(keys != nullptr ? InfoKeys::attach(state->process(), handle, std::move(keys))
                                      : nullptr);
    return code;
}

}  // namespace echelon
