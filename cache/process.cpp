// SPDX-License-Identifier: Apache-2.0
#include "cache/process.hpp"

#include "cache/info_keys.hpp"
#include "cache/last_words.hpp"
#include "cache/parting.hpp"
#include "cache/settings_table.hpp"
#include "cache/state.hpp"
#include "core/say.hpp"
#include "mpi/attendance.hpp"
#include "mpi/broadcast_text.hpp"
#include "mpi/fingerprint.hpp"
#include "mpi/gather_placement.hpp"
#include "mpi/open_window.hpp"
#include "mpi/processors.hpp"
#include "mpi/quirks.hpp"
#include "mpi/watchdog.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <utility>

namespace echelon {
namespace {

int on_self_deleted(MPI_Comm, int, void* process, void*) {
    static_cast<Process*>(process)->close();
    return MPI_SUCCESS;
}

int on_user_comm_deleted(MPI_Comm, int, void* state, void*) {
    if (!static_cast<State*>(state)->is_detached()) delete static_cast<State*>(state);
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

/// By another MPI program.
bool was_spawned() {
    if constexpr (quirks::simulated) return false;
    MPI_Comm parent = MPI_COMM_NULL;
    return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

/// MPI_Initialized knows nothing of sessions; but then a communicator that is none of the world's was made
/// from one.
bool session_runs(MPI_Comm comm) {
    int initialized = 0;
    PMPI_Initialized(&initialized);
    return MPI_VERSION >= 4 && initialized == 0 && comm != MPI_COMM_NULL && comm != MPI_COMM_WORLD &&
           comm != MPI_COMM_SELF;
}

}  // namespace

// Simulated ranks each have their own copy of a program's statics.
std::atomic<Process*> Process::own_ = nullptr;

Process* Process::instance(MPI_Comm comm) {
    Process* process = own_.load(std::memory_order_acquire);
    if (process == nullptr) process = make(comm);
    const bool gone = process == nullptr || process->closed_.load(std::memory_order_relaxed);
    return gone || Parting::is_under_way(comm) ? nullptr : process;
}

Process* Process::make(MPI_Comm comm) {
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    if (Process* const made = own_.load()) return made;
    if (!world_runs() && !session_runs(comm)) return nullptr;
    auto* const made = new Process(comm);
    own_.store(made, std::memory_order_release);
    if (!quirks::simulated && made->observes())
        before_deadly_signals([] {
            Process* const own = own_.load();
            own->report(Ending::signal);
            // Launchers kill all ranks when the first has ended: rank 0 has this long to write.
            if (own->rank_ != 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
        });
    return made;
}

/// For programs that end without MPI_Finalize, behind all handlers of exit. No MPI call is made here.
void Process::tell_at_exit() {
    if (Process* const process = own_.load(); !quirks::simulated && process != nullptr)
        process->report(Ending::without_finalize);
}

Process::Process(MPI_Comm comm)
    : settings_(Settings::from_environment()),
      keyval_(make_keyval(on_user_comm_deleted)),
      keys_keyval_(InfoKeys::make_keyval()),
      pid_(getpid()) {
    const MPI_Comm speaker = world_runs() ? MPI_COMM_WORLD : comm;
    rank_ = rank_of(speaker);
    size_ = size_of(speaker);
    if (world_runs()) {
        hang_on_self();
        hangs_on_self_ = true;
        // It inherited the environment, and would overwrite the summary of the program that started it.
        for (std::string* const file : {&settings_.summary.file, &settings_.trace})
            if (!file->empty() && was_spawned()) *file += '.' + std::to_string(getpid());
    }
    constexpr int usual = 800;
    budget_.set_most(settings_.communicators.value_or(usual));
    if (!settings_.trace.empty()) tracer_ = std::make_unique<Tracer>(settings_.trace);
    for (const auto& complaint : settings_.complaints) say_once(speaks(), complaint);
    if (settings_.help && speaks()) std::fputs(settings_help().c_str(), stdout);
    if (settings_.watchdog > 0) Watchdog::watch(settings_.watchdog, rank_);
}

void Process::hang_on_self() {
    int keyval = make_keyval(on_self_deleted);
    check(PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, this), "MPI_Comm_set_attr");
    check(PMPI_Comm_free_keyval(&keyval), "MPI_Comm_free_keyval");  // the attribute stays
}

void Process::enlist(State* state) {
    // No MPI call under the lock: another thread may wait for it inside of one, in the callback of a deleted
    // attribute.
    const bool world = world_runs();
    bool hangs = true;
    {
        const std::scoped_lock lock(mutex_);
        states_.push_back(state);
        if (world) hangs = std::exchange(hangs_on_self_, true);
    }
    if (!hangs) hang_on_self();
}

void Process::initialized() {
    if (const auto absence = find_absence()) {
        complete_ = false;
        say_once(absence->speaks, absence->sentence());
        return;
    }
    int level = MPI_THREAD_SINGLE;
    check(PMPI_Query_thread(&level), "MPI_Query_thread");
    const Spending spending(counts() ? this : nullptr);
    const int threads = level == MPI_THREAD_MULTIPLE;
    const int shares = settings_.communicators ? *settings_.communicators == 0
                                               : quirks::threads_make_no_communicators && threads != 0;
    const bool reads = rank_ == 0 && size_ > 1;
    const auto known = profile();  // since a session
    const auto found = reads && known == nullptr ? look_for_profiles() : ProfileSearch();
    const bool has_profile = reads && (known != nullptr ? known->profile != nullptr : !found.fitting.empty());
    const bool topology = has_profile || settings_.needs_topology();
    // Ranks may have asked MPI, or been asked, for different things.
    std::array<int, 7> any{threads,          shares,    has_profile,
                           topology,         !counts(), memory_is_shared && has_fewer_processors(size_),
                           !waits_spinning()};
    check(PMPI_Allreduce(MPI_IN_PLACE, any.data(), int(any.size()), MPI_INT, MPI_MAX, MPI_COMM_WORLD),
          "MPI_Allreduce");
    const auto [any_threads, any_shares, any_profile, any_topology, any_silent, any_short, any_yields] = any;
    if (size_ == 1) return;
    sums_up_ = !quirks::simulated && any_silent == 0;  // whose MPI_Finalize lets nobody communicate any more
    own_world_ = std::make_unique<OwnWorld>();
    copies_ = quirks::nonblocking_collectives_use_up_tags && any_threads == 0;
    if (any_shares != 0) {
        channel_ = std::make_unique<Channel>(*own_world_);
        budget_.set_most(settings_.communicators.value_or(0));
    }
    node_ = own_node(own_world_->get());
    roll_ = std::make_unique<Roll>(*node_, site(), settings_.fingerprint(), any_topology != 0);
    if (memory_is_shared) roll_->find_crowd(any_short != 0, any_yields == 0);
    KnownProfile profile;
    // Which of those that were found is it depends on where the ranks sit.
    if (rank_ == 0) profile = known != nullptr ? *known : found.first_for(roll_->ranks_per_node());
    if (any_profile != 0) {
        const std::string told = broadcast(rank_ == 0 ? profile.told() : "", MPI_COMM_WORLD);
        if (rank_ != 0) profile = KnownProfile::heard(told);
        const bool knows = rank_ == 0 && profile.profile != nullptr && profile.profile->parameters;
        roll_->find_sites(knows ? profile.profile->parameters->sites
                                : std::vector<std::vector<std::string>>());
    }
    (void)take_profile(std::move(profile));
}

std::uint64_t Process::site() const {
    if (site_ != 0) return site_;
    if (roll_ != nullptr) return roll_->site(rank_);
    return settings_.site.empty() ? 0 : node_key(settings_.site);
}

void Process::set_sites(const Placement& placement, int rank) {
    if (placement.site_count() == 1) return;
    site_ = std::uint64_t(placement.site(rank)) + 1;
    if (roll_ != nullptr && roll_->size() == placement.size()) roll_->set_sites(placement);
}

std::uint64_t Process::node(MPI_Comm comm) { return node_ ? *node_ : own_node(comm); }

void Process::strike_off(State* state) {
    const std::scoped_lock lock(mutex_);
    std::erase(states_, state);
}

void Process::keep(const CommunicatorRecord& record) {
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = freed_.try_emplace(record.ranks, record);
    if (!is_new) known->second.add(record);
    known->second.freed = true;
    known->second.name.clear();
}

void Process::close() {
    report(Ending::finalized);
    if (getpid() == pid_) learned_.save();
    for (State* state : states_) state->close();
    channel_.reset();
    own_world_.reset();
    closed_ = true;
    Recent::forget_all();
    PMPI_Comm_free_keyval(&keyval_);
    PMPI_Comm_free_keyval(&keys_keyval_);
}

Summary Process::summary(Ending ending) const {
    Summary summary{.rank = rank_,
                    .ranks = size_,
                    .ending = ending,
                    .seconds_per_tick = scale_.seconds_per_tick(),
                    .began = began_};
    summary.processors = int(std::thread::hardware_concurrency());
    summary.ranks_here = size_;
    if (!quirks::simulated && getloadavg(&summary.load, 1) != 1) summary.load = -1;
    for (const State* state : states_)
        summary.communicators.push_back(state->record(ending == Ending::finalized));
    for (const auto& [ranks, record] : freed_) summary.communicators.push_back(record);
    std::erase_if(summary.communicators,
                  [](const CommunicatorRecord& record) { return record.tally.empty(); });
    if (roll_ != nullptr) {
        std::vector<int> all(std::size_t(size_), 0);
        std::iota(all.begin(), all.end(), 0);
        const Placement placement = roll_->placement(all);
        summary.nodes = placement.node_count();
        summary.ranks_here = int(std::count_if(
            all.begin(), all.end(), [&](int rank) { return placement.node(rank) == placement.node(rank_); }));
    }
    if (profile_ != nullptr)
        (profile_->profile != nullptr ? summary.profile : summary.no_profile) = profile_->from;
    summary.sum_up(double(ticks() - first_tick_) * summary.seconds_per_tick,
                   double(spent_) * summary.seconds_per_tick);
    return summary;
}

void Process::report(Ending ending) {
    if (getpid() != pid_) return;  // a child that was forked ends, and knows nothing of MPI
    if (!observes()) return;
    // At the exit of a program other threads may be anywhere, also in here.
    std::unique_lock lock(mutex_, std::defer_lock);
    if (ending == Ending::finalized || ending == Ending::signal)
        lock.lock();
    else if (!lock.try_lock())
        return;
    const bool reports = !std::exchange(reported_, true);
    if (reports && tracer_ != nullptr) tracer_->write(rank_, scale_.seconds_per_tick());
    if (!counts()) return;
    const bool sums_up =
        sums_up_ && ending == Ending::finalized;  // even if nobody listens any more: the others do
    if (!reports && !sums_up) return;
    Summary made = summary(ending);
    if (sums_up) {
        constexpr Seconds patience = 10;
        std::vector<Spread> all;
        try {
            all = over_ranks(made.totals.row(), patience);
        } catch (const Error&) {  // MPI_Finalize is no place to fail: the rank tells of itself
        }
        if (!all.empty()) {
            made.totals = Totals::from(all);
            made.totals_of = size_;
        }
    }
    if (reports) write(made, settings_.summary);
}

std::shared_ptr<const KnownProfile> Process::profile() {
    const std::scoped_lock lock(mutex_);
    return profile_;
}

ProfileSearch Process::look_for_profiles() {
    auto found = find_profiles(settings_.profile, installed_profiles(), fingerprint_here);
    for (const std::string& problem : found.problems) say_once(true, problem);
    return found;
}

std::shared_ptr<const KnownProfile> Process::read_profile() {
    if (auto known = profile()) return known;
    auto found = std::make_shared<const KnownProfile>(look_for_profiles().first_for(ranks_on_this_node()));
    const std::scoped_lock lock(mutex_);
    if (profile_ == nullptr) profile_ = std::move(found);
    return profile_;
}

std::shared_ptr<const KnownProfile> Process::take_profile(KnownProfile told) {
    auto taken = std::make_shared<const KnownProfile>(std::move(told));
    const std::scoped_lock lock(mutex_);
    if (profile_ == nullptr) profile_ = std::move(taken);
    return profile_;
}

void Process::say_once(bool speaks, const std::string& sentence) {
    const std::scoped_lock lock(mutex_);
    if (said_.insert(sentence).second && speaks) say(sentence);
}

}  // namespace echelon
