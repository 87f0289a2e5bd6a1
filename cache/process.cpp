// SPDX-License-Identifier: Apache-2.0
#include "cache/process.hpp"

#include "cache/free_guard.hpp"
#include "mpi/binned_sum.hpp"
#include "mpi/pending_calls.hpp"
#include "mpi/presence.hpp"
#include "mpi/quirks.hpp"
#include "mpi/watchdog.hpp"
#include "report/signal_report.hpp"
#include "settings/info_keys.hpp"

#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace echelon {
namespace {

int on_self_deleted(MPI_Comm, int, void* process, void*) {
    static_cast<Process*>(process)->close();
    return MPI_SUCCESS;
}

int on_user_comm_deleted(MPI_Comm, int, void* attribute, void*) {
    auto* const state = static_cast<Reported*>(attribute);
    if (!state->is_detached()) delete state;
    return MPI_SUCCESS;
}

int make_keyval(MPI_Comm_delete_attr_function* on_deleted) {
    int keyval = MPI_KEYVAL_INVALID;
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_deleted, &keyval, nullptr),
          "MPI_Comm_create_keyval");
    return keyval;
}

bool world_runs() {
    int initialized = 0, finalized = 0;
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    return initialized != 0 && finalized == 0;
}

/// True if another MPI program started this one.
bool was_spawned() {
    if constexpr (quirks::simulated) return false;
    MPI_Comm parent = MPI_COMM_NULL;
    return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

/// True if `comm` comes from an MPI session. MPI_Initialized does not know sessions, but a communicator that
/// is neither MPI_COMM_WORLD nor MPI_COMM_SELF proves one.
bool session_runs(MPI_Comm comm) {
    int initialized = 0;
    PMPI_Initialized(&initialized);
    return MPI_VERSION >= 4 && initialized == 0 && comm != MPI_COMM_NULL && comm != MPI_COMM_WORLD &&
           comm != MPI_COMM_SELF;
}

MPI_Comm speaker(MPI_Comm comm) { return world_runs() ? MPI_COMM_WORLD : comm; }

Settings settings_here() {
    Settings settings = Settings::from_environment();
    // A spawned program inherits the environment, and would overwrite the summary of its parent.
    if (world_runs())
        for (std::string* const file : {&settings.summary.file, &settings.trace.file})
            if (!file->empty() && was_spawned()) *file += '.' + std::to_string(getpid());
    return settings;
}

}  // namespace

// Each simulated rank has its own copy of a program's statics.
std::atomic<Process*> Process::own_ = nullptr;

Process* Process::instance(MPI_Comm comm) {
    Process* process = own_.load(std::memory_order_acquire);
    if (process == nullptr) process = make(comm);
    const bool gone = process == nullptr || process->closed_.load(std::memory_order_relaxed);
    return gone || FreeGuard::is_under_way(comm) ? nullptr : process;
}

Process* Process::make(MPI_Comm comm) {
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    if (Process* const made = own_.load()) return made;
    if (presence() == Presence::starting || (!world_runs() && !session_runs(comm))) return nullptr;
    auto* const made = new Process(comm);
    own_.store(made, std::memory_order_release);
    if (!quirks::simulated && made->reporter_.observes())
        before_deadly_signals([] {
            Process* const own = own_.load();
            own->reporter_.tell(Ending::signal);
            // Launchers kill all ranks after the first has ended: rank 0 gets this time to write.
            if (own->rank_ != 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
        });
    return made;
}

/// Reports a program that ends without MPI_Finalize, after all exit handlers. MPI may have ended.
void Process::tell_at_exit() {
    if (Process* const process = own_.load(); !quirks::simulated && process != nullptr)
        process->reporter_.tell(Ending::without_finalize);
}

Process::Process(MPI_Comm comm)
    : rank_(rank_of(speaker(comm))),
      size_(size_of(speaker(comm))),
      settings_(settings_here()),
      keyval_(make_keyval(on_user_comm_deleted)),
      keys_keyval_(InfoKeys::make_keyval()),
      pid_(getpid()) {
    if (world_runs()) {
        hang_on_self();
        hangs_on_self_ = true;
    }
    constexpr int usual = 800;
    budget_.set_most(settings_.communicators.value_or(usual));
    for (const auto& complaint : settings_.complaints) log_.once(speaks(), complaint);
    if (settings_.watchdog > 0) Watchdog::watch(settings_.watchdog, rank_);
}

void Process::hang_on_self() {
    int keyval = make_keyval(on_self_deleted);
    check(PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, this), "MPI_Comm_set_attr");
    check(PMPI_Comm_free_keyval(&keyval), "MPI_Comm_free_keyval");  // the attribute stays
}

void Process::enlist(Reported* state) {
    reporter_.enter(state);
    if (world_runs() && !hangs_on_self_.exchange(true)) hang_on_self();
}

void Process::initialized() {
    const Spending spending(reporter_);
    world_.settle(profile_, log_, reporter_.counts());
    if (world_.channel() != nullptr) budget_.set_most(settings_.communicators.value_or(0));
}

void Process::close() {
    PendingCalls::leave();
    world_.enter_finalize();
    reporter_.tell(Ending::finalized);
    if (Companion* const companion = companion_.known(); companion != nullptr && getpid() == pid_)
        companion->close();
    for (Reported* communicator : reporter_.communicators()) communicator->close();
    boards_.forget_all();
    closed_ = true;
    world_.close();  // may complete the end of communicators that were freed before
    Recent::forget_all();
    free_binned_sum();
    PMPI_Comm_free_keyval(&keyval_);
    PMPI_Comm_free_keyval(&keys_keyval_);
}

}  // namespace echelon
