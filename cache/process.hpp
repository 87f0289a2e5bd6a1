// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/budget.hpp"
#include "cache/deciders.hpp"
#include "cache/directory.hpp"
#include "cache/learned.hpp"
#include "cache/profile_search.hpp"
#include "cache/roll.hpp"
#include "cache/settings.hpp"
#include "cache/summary.hpp"
#include "cache/ticks.hpp"
#include "cache/tracer.hpp"
#include "estimators/choice/leads.hpp"
#include "mpi/channel.hpp"
#include "mpi/comm.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace echelon {

class State;

/// What belongs to this MPI process: its settings, the communicators that Echelon serves, and how many of its
/// own it holds. It hangs on MPI_COMM_SELF, whose attributes MPI deletes first at MPI_Finalize: the last
/// moment at which communicators can be freed. It is never destroyed: destructors of statics may still
/// finalise MPI. Safe to use from several threads.
class Process {
public:
    /// Made at the first call, whichever way MPI was initialised. Nullptr where MPI does not run, and where
    /// `comm`, that of the call, is being freed.
    static Process* instance(MPI_Comm comm = MPI_COMM_WORLD);

    const Settings& settings() const { return settings_; }
    /// Of the attribute that a State is, and of the one that InfoKeys are.
    int keyval() const { return keyval_; }
    int keys_keyval() const { return keys_keyval_; }
    /// This rank says what one rank says for all.
    bool speaks() const { return rank_ == 0; }

    const Directory& directory() const { return directory_; }
    Directory& directory() { return directory_; }

    /// Also the moment to hang on MPI_COMM_SELF, where MPI sessions came before MPI_Init.
    void enlist(State* state);
    void strike_off(State* state);
    /// MPI was initialised by this thread: the ranks settle what they can, once for all communicators.
    /// Collective over MPI_COMM_WORLD.
    void initialized();
    /// All ranks of MPI_COMM_WORLD have the library, as far as can be told.
    bool complete() const { return complete_; }
    /// What was settled then; nullptr: MPI_Init was not seen, each communicator settles for itself.
    const Roll* roll() const { return roll_.get(); }
    /// nullptr: MPI_Init was not seen, or recipes go by the channel.
    const OwnWorld* own_world() const { return channel_ == nullptr ? own_world_.get() : nullptr; }
    /// From which our communicators are made; nullptr: from the program's.
    const OwnWorld* maker() const { return copies_ ? own_world() : nullptr; }
    /// Where this rank's node is; 0: unknown.
    std::uint64_t site() const;
    /// The ranks of a communicator, in which this one is `rank`, sit so. On all of them.
    void set_sites(const Placement& placement, int rank);
    /// Equal exactly on ranks of `comm` on one node. Collective over `comm`, where it is not known yet.
    std::uint64_t node(MPI_Comm comm);
    /// Over which everything goes, where no communicators may be made; nullptr: they may.
    Channel* channel() const { return channel_.get(); }
    Budget& budget() { return budget_; }
    /// MPI is about to end: writes the summary and frees the communicators of all states.
    void close();
    bool closed() const { return closed_; }
    /// The program is about to abort all ranks: writes the summary of this one.
    void abort() { report(Ending::abort); }

    bool counts() const { return settings_.summary.form != SummaryRequest::Form::none; }
    /// Nullptr: nobody asked for a trace.
    Tracer* tracer() { return tracer_.get(); }
    /// Somebody wants to know of every call, also of those that are the library's.
    bool observes() const { return counts() || tracer_ != nullptr; }
    /// Keeps what was counted on a communicator that goes.
    void keep(const CommunicatorRecord& record);
    /// So long it took to settle, decide and make something.
    void spend(std::uint64_t ticks) { spent_ += ticks; }

    /// The machine's profile; nullptr as long as this process has not heard of it.
    std::shared_ptr<const KnownProfile> profile();
    /// Reads it from its file, where this process has not heard of it; says what is wrong with it. For one
    /// rank of a communicator.
    std::shared_ptr<const KnownProfile> read_profile();
    /// Takes it over from the rank that has read it.
    std::shared_ptr<const KnownProfile> take_profile(KnownProfile told);

    Deciders& deciders() { return deciders_; }
    Learned& learned() { return learned_; }
    Leads& leads() { return leads_; }

    /// New communicators for which this rank has told what calls with a root run, and those where one asked.
    struct Tables {
        std::atomic<long> told = 0, read = 0;
        /// Most of them were for nothing: the program does not make such calls on what it makes.
        bool idle() const {
            constexpr long few = 32, share = 8;
            return told >= few && share * read < told;
        }
    };
    Tables& tables() { return tables_; }

    /// Says a sentence on standard error, once for each text, if `speaks` (one rank does).
    void say_once(bool speaks, const std::string& sentence);

private:
    explicit Process(MPI_Comm comm);
    static Process* make(MPI_Comm comm);
    [[gnu::destructor]] static void tell_at_exit();
    void hang_on_self();
    /// Those that fit but for the ranks of a node; says what is wrong with the others.
    ProfileSearch look_for_profiles();
    /// Once; needs no MPI at other endings than MPI_Finalize.
    void report(Ending ending);
    Summary summary(Ending ending) const;

    static std::atomic<Process*> own_;

    Settings settings_;
    int keyval_, keys_keyval_;
    long pid_;
    int rank_ = 0, size_ = 0;  // in MPI_COMM_WORLD, or of the first communicator where there is no world
    TickScale scale_;
    std::unique_ptr<Tracer> tracer_;
    bool hangs_on_self_ = false, complete_ = true;
    std::unique_ptr<const OwnWorld> own_world_;
    bool copies_ = false;
    std::unique_ptr<Channel> channel_;
    std::optional<std::uint64_t> node_;
    std::unique_ptr<Roll> roll_;
    std::uint64_t site_ = 0;  // found; 0: as was told
    std::mutex mutex_;
    Directory directory_;
    std::vector<State*> states_;               // in the order of their making
    std::map<int, CommunicatorRecord> freed_;  // by number of ranks
    std::set<std::string> said_;
    std::shared_ptr<const KnownProfile> profile_;
    Deciders deciders_;
    Learned learned_{settings_.learn, [this](const std::string& sentence) { say_once(true, sentence); }};
    Leads leads_;
    Tables tables_;
    Budget budget_;
    std::atomic<bool> closed_ = false;
    std::time_t began_ = std::time(nullptr);
    std::uint64_t first_tick_ = ticks();
    std::atomic<std::uint64_t> spent_ = 0;
    /// All ranks were asked for a summary: each helps with the others'.
    bool sums_up_ = false;
    bool reported_ = false;
};

/// Its life is time that Echelon took beside the calls.
class Spending {
public:
    /// Null: nobody counts.
    explicit Spending(Process* process) : process_(process), start_(process == nullptr ? 0 : ticks()) {}
    ~Spending() {
        if (process_ != nullptr) process_->spend(ticks() - start_);
    }
    Spending(const Spending&) = delete;
    Spending& operator=(const Spending&) = delete;

private:
    Process* process_;
    std::uint64_t start_;
};

}  // namespace echelon
