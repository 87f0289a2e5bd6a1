// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/budget.hpp"
#include "cache/companion.hpp"
#include "cache/directory.hpp"
#include "job/job_profile.hpp"
#include "job/log_once.hpp"
#include "job/world.hpp"
#include "report/reporter.hpp"
#include "settings/settings.hpp"
#include "shm/boards.hpp"

#include <atomic>
#include <string>

namespace echelon {

class State;

/// Echelon's state of this MPI process; callers use its parts directly. It is an attribute of MPI_COMM_SELF.
/// MPI deletes these attributes first in MPI_Finalize: the last moment at which communicators can be freed.
/// The object is never destroyed, because destructors of statics may finalise MPI. Safe to use from several
/// threads.
class Process {
public:
    /// The process, made at the first call, however MPI was initialised. Null if MPI does not run, if
    /// MPI_Init has not returned, or if this thread is freeing `comm`, the communicator of the call.
    static Process* instance(MPI_Comm comm = MPI_COMM_WORLD);

    /// The keys of the attributes that hold a State, and InfoKeys.
    int keyval() const { return keyval_; }
    int keys_keyval() const { return keys_keyval_; }
    /// True if this rank prints messages for all ranks.
    bool speaks() const { return rank_ == 0; }

    // Its parts.
    const Settings& settings() const { return settings_; }
    LogOnce& log() { return log_; }
    JobProfile& profile() { return profile_; }
    const JobProfile& profile() const { return profile_; }
    World& world() { return world_; }
    const World& world() const { return world_; }
    Reporter& reporter() { return reporter_; }
    const Reporter& reporter() const { return reporter_; }
    Directory& directory() { return directory_; }
    Budget& budget() { return budget_; }
    Boards& boards() { return boards_; }
    CompanionSlot& companion() { return companion_; }

    /// Registers a new state. If MPI sessions came before MPI_Init, it also sets the attribute of
    /// MPI_COMM_SELF.
    void enlist(Reported* state);
    /// Exchanges the facts of World. Requires: this thread has initialised MPI. Collective over
    /// MPI_COMM_WORLD.
    void initialized();
    /// Writes the summary and frees the communicators of all states. Requires: MPI is about to end.
    void close();
    bool closed() const { return closed_; }

private:
    explicit Process(MPI_Comm comm);
    static Process* make(MPI_Comm comm);
    [[gnu::destructor]] static void tell_at_exit();
    void hang_on_self();

    static std::atomic<Process*> own_;

    const int rank_, size_;  // in MPI_COMM_WORLD, or in the first communicator of a session
    Settings settings_;
    int keyval_, keys_keyval_;
    const long pid_;
    std::atomic<bool> hangs_on_self_ = false, closed_ = false;
    LogOnce log_;
    JobProfile profile_{settings_, log_};
    World world_{settings_, rank_};
    Boards boards_{settings_.window};
    Reporter reporter_{settings_, world_, profile_, boards_, rank_, size_};
    Directory directory_;
    Budget budget_;
    CompanionSlot companion_;
};

}  // namespace echelon
