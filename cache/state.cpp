// SPDX-License-Identifier: Apache-2.0
#include "cache/state.hpp"

#include "cache/free_guard.hpp"
#include "settings/info_keys.hpp"

#include <memory>
#include <utility>

namespace echelon {

State* State::known(MPI_Comm comm) {
    if (State* const recent = Recent::find(comm)) return recent;
    Process* const process = Process::instance(comm);
    if (process == nullptr || comm == MPI_COMM_NULL) return nullptr;
    return process->directory().find(comm);
}

State* State::of(MPI_Comm comm) {
    if (State* const known_one = known(comm)) return known_one;
    Process* const process = Process::instance(comm);
    if (process == nullptr || !is_communicator(comm)) return nullptr;
    auto made = std::unique_ptr<State>(new State(comm, *process));
    made->attach(made->requests_.keys());
    return made.release();
}

int State::free_by(int (*free)(MPI_Comm*), MPI_Comm* comm) {
    // Without a state nothing must be removed. The library reports an invalid handle.
    const MPI_Comm handle = comm != nullptr ? *comm : MPI_COMM_NULL;
    State* const state = known(handle);
    if (state == nullptr) {
        const FreeGuard guard(handle);
        return free(comm);
    }
    const int keyval = state->process_.keys_keyval();
    auto keys = InfoKeys::detach(keyval, handle);
    state->detach();
    int code = MPI_SUCCESS;
    {
        const FreeGuard guard(handle);
        code = free(comm);
    }
    if (code == MPI_SUCCESS)
        delete state;
    else
        state->attach(keys != nullptr ? InfoKeys::attach(keyval, handle, std::move(keys)) : nullptr);
    return code;
}

void State::forget_dead(MPI_Comm made) {
    State* const state = known(made);
    if (state == nullptr) return;
    void* own = nullptr;
    int flag = 0;
    check(PMPI_Comm_get_attr(made, state->process_.keyval(), &own, &flag), "MPI_Comm_get_attr");
    if (flag == 0) delete state;
}

void State::attach(const Settings* keys) {
    requests_.attach(keys);
    check(PMPI_Comm_set_attr(user_, process_.keyval(), static_cast<Reported*>(this)), "MPI_Comm_set_attr");
    process_.directory().enter(user_, this);
    detached_ = false;
}

void State::detach() {
    detached_ = true;
    own_.finish_pending_calls();
    if (Companion* const companion = companion_.known()) companion->complete();
    if (process_.reporter().counts()) last_reasons_ = reasons();
    process_.directory().remove(user_);
    check(PMPI_Comm_delete_attr(user_, process_.keyval()), "MPI_Comm_delete_attr");
}

State::State(MPI_Comm user, Process& process) : user_(user), process_(process) {
    int is_inter = 0;
    check(PMPI_Comm_test_inter(user, &is_inter), "MPI_Comm_test_inter");
    if (is_inter != 0)
        unserved_ = Bypass::intercommunicator;
    else if (size() == 1)
        unserved_ = Bypass::one_rank;
    else if (!within_world(user))
        unserved_ = Bypass::another_world;  // its ranks may lack Echelon, or have other settings
    if (const JobMap* const job_map = process_.world().job_map(); serves() && job_map != nullptr) {
        own_.learn(*job_map);
        requests_.look_up();
    }
    if (!serves() && !process_.reporter().counts()) plans_.set_all_native();
    process_.enlist(this);
}

State::~State() {
    if (process_.closed()) return;
    if (!detached_) process_.directory().remove(user_);
    process_.reporter().leave(this);
    if (process_.reporter().counts()) {
        CommunicatorRecord last = record(false);
        last.reasons = detached_ ? last_reasons_ : reasons();
        process_.reporter().keep(last);
    }
    close();
}

CommunicatorRecord State::record(bool mpi_runs) const {
    CommunicatorRecord record{.name = user_ == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "",
                              .ranks = size(),
                              .tally = tally_,
                              .splits = own_.split_counters(),
                              .plans_made = plans_.made(),
                              .plan_hits = plans_.hits()};
    char text[MPI_MAX_OBJECT_NAME];
    int length = 0;
    if (mpi_runs && PMPI_Comm_get_name(user_, text, &length) == MPI_SUCCESS)
        record.name.assign(text, std::size_t(length));
    if (mpi_runs) record.reasons = reasons();  // a signal may come while they change
    return record;
}

std::vector<std::string> State::reasons() const {
    Companion* const companion = companion_.known();
    return companion == nullptr ? std::vector<std::string>() : companion->reasons();
}

void State::close() {
    if (Companion* const companion = companion_.known()) companion->close();
    plans_.clear();
    own_.close();
}

}  // namespace echelon
