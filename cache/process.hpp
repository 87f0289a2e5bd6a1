// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/budget.hpp"
#include "cache/deciders.hpp"
#include "cache/directory.hpp"
#include "cache/heard_profile.hpp"
#include "cache/learned.hpp"
#include "cache/prior_machine.hpp"
#include "cache/reporter.hpp"
#include "cache/sayings.hpp"
#include "cache/settings.hpp"
#include "cache/told_tables.hpp"
#include "cache/world.hpp"
#include "estimators/choice/leads.hpp"
#include "mpi/thinking.hpp"
#include "shm/boards.hpp"

#include <atomic>
#include <string>

namespace echelon {

class State;

/// What belongs to this MPI process, in parts, of which each is spoken to itself. It hangs on MPI_COMM_SELF, whose attributes MPI
/// deletes first at MPI_Finalize: the last moment at which communicators can be freed. It is never destroyed: destructors of
/// statics may still finalise MPI. Safe to use from several threads.
class Process {
public:
    /// Made at the first call, whichever way MPI was initialised. Nullptr where MPI does not run, and where
    /// `comm`, that of the call, is being freed.
    static Process* instance(MPI_Comm comm = MPI_COMM_WORLD);

    /// Of the attribute that a State is, and of the one that InfoKeys are.
    int keyval() const { return keyval_; }
    int keys_keyval() const { return keys_keyval_; }
    /// This rank says what one rank says for all.
    bool speaks() const { return rank_ == 0; }

    // Its parts.
    const Settings& settings() const { return settings_; }
    Sayings& say() { return say_; }
    HeardProfile& profile() { return profile_; }
    const HeardProfile& profile() const { return profile_; }
    World& world() { return world_; }
    const World& world() const { return world_; }
    Reporter& reporter() { return reporter_; }
    const Reporter& reporter() const { return reporter_; }
    Directory& directory() { return directory_; }
    Budget& budget() { return budget_; }
    Boards& boards() { return boards_; }
    Deciders& deciders() { return deciders_; }
    PriorMachine& prior_machine() { return prior_machine_; }
    ToldTables& told_tables() { return told_tables_; }
    Learned& learned() { return learned_; }
    Leads& leads() { return leads_; }
    Allowance& allowance() { return allowance_; }

    /// A state was made. Also the moment to hang on MPI_COMM_SELF, where MPI sessions came before MPI_Init.
    void enlist(State* state);
    /// MPI was initialised by this thread: the ranks settle what they can. Collective over MPI_COMM_WORLD.
    void initialized();
    /// MPI is about to end: writes the summary and frees the communicators of all states.
    void close();
    bool closed() const { return closed_; }

private:
    explicit Process(MPI_Comm comm);
    static Process* make(MPI_Comm comm);
    [[gnu::destructor]] static void tell_at_exit();
    void hang_on_self();

    static std::atomic<Process*> own_;

    const int rank_, size_;  // in MPI_COMM_WORLD, or of the first communicator where there is no world
    Settings settings_;
    int keyval_, keys_keyval_;
    const long pid_;
    std::atomic<bool> hangs_on_self_ = false, closed_ = false;
    Sayings say_;
    HeardProfile profile_{settings_, say_};
    World world_{settings_, rank_};
    Boards boards_{settings_.window};
    Reporter reporter_{settings_, world_, profile_, boards_, rank_, size_};
    Directory directory_;
    Budget budget_;
    Deciders deciders_;
    PriorMachine prior_machine_{world_};
    ToldTables told_tables_;
    Learned learned_{settings_.learn, [this](const std::string& sentence) { say_.once(true, sentence); }};
    Leads leads_;
    Allowance allowance_;
};

}  // namespace echelon
