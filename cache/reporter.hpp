// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/heard_profile.hpp"
#include "cache/settings.hpp"
#include "cache/summary.hpp"
#include "cache/ticks.hpp"
#include "cache/tracer.hpp"
#include "cache/world.hpp"
#include "shm/boards.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace echelon {

class State;

/// What ran on the communicators of this process, told at its end: the summary, and the trace. Safe to use from several threads.
class Reporter {
public:
    /// Of `rank` of `ranks`. All must outlive it.
    Reporter(const Settings& settings, const World& world, const HeardProfile& profile, const Boards& boards,
             int rank, int ranks);

    bool counts() const { return counts_; }
    /// Nullptr: nobody asked for a trace.
    Tracer* tracer() { return tracer_.get(); }
    /// Somebody wants to know of every call, also of those that are the library's.
    bool observes() const { return counts() || tracer_ != nullptr; }

    void enter(State* state);
    void leave(State* state);
    /// Keeps what was counted on a communicator that goes.
    void keep(const CommunicatorRecord& record);
    /// The summary says so, once.
    void note(const std::string& sentence);
    /// So long it took to settle, decide and make something.
    void spend(std::uint64_t ticks) { spent_ += ticks; }
    /// Those that have entered, in that order. At the end, when no others use it.
    const std::vector<State*>& states() const { return states_; }

    /// Once; needs no MPI at other endings than MPI_Finalize.
    void tell(Ending ending);

private:
    Summary summary(Ending ending) const;

    const SummaryRequest& request_;
    const bool counts_;
    const World& world_;
    const HeardProfile& profile_;
    const Boards& boards_;
    const int rank_, ranks_;
    const long pid_;
    TickScale scale_;
    std::unique_ptr<Tracer> tracer_;
    std::mutex mutex_;
    std::vector<State*> states_;               // in the order of their making
    std::map<int, CommunicatorRecord> freed_;  // by number of ranks
    std::vector<std::string> notes_;
    std::chrono::system_clock::time_point began_ = std::chrono::system_clock::now();
    std::uint64_t first_tick_ = ticks();
    std::atomic<std::uint64_t> spent_ = 0;
    bool told_ = false;
};

/// Its life is time that Echelon took beside the calls.
class Spending {
public:
    /// Nothing is noted where nobody counts, or this is not to be counted.
    explicit Spending(Reporter& reporter, bool counted = true)
        : reporter_(counted && reporter.counts() ? &reporter : nullptr),
          start_(reporter_ == nullptr ? 0 : ticks()) {}
    ~Spending() {
        if (reporter_ != nullptr) reporter_->spend(ticks() - start_);
    }
    Spending(const Spending&) = delete;
    Spending& operator=(const Spending&) = delete;

private:
    Reporter* reporter_;
    std::uint64_t start_;
};

}  // namespace echelon
