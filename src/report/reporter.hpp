// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "job/job_profile.hpp"
#include "job/world.hpp"
#include "report/reported.hpp"
#include "report/ticks.hpp"
#include "report/tracer.hpp"
#include "settings/settings.hpp"
#include "shm/boards.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace echelon {

/// Writes the summary and the trace of this process at its end. Safe to use from several threads.
class Reporter {
public:
    /// `rank`: this one of `ranks`. The other arguments must outlive this.
    Reporter(const Settings& settings, const World& world, const JobProfile& profile, const Boards& boards,
             int rank, int ranks);

    /// True if a summary was requested.
    bool counts() const { return counts_; }
    /// The tracer; null if no trace was requested.
    Tracer* tracer() { return tracer_.get(); }
    /// True if every call is counted or traced, native ones included.
    bool observes() const { return counts() || tracer_ != nullptr; }

    void enter(Reported* communicator);
    void leave(Reported* communicator);
    /// Keeps the counts of a communicator that ends.
    void keep(const CommunicatorRecord& record);
    /// Adds a sentence to the summary, once.
    void note(const std::string& sentence);
    /// Adds time for agreements, decisions and making of communicators.
    void spend(std::uint64_t ticks) { spent_ += ticks; }
    /// The communicators that have entered, in this order. Requires: no other thread uses the reporter.
    const std::vector<Reported*>& communicators() const { return communicators_; }

    /// The totals of this rank until now; zeros if no summary was requested.
    Totals totals_now();

    /// Writes the summary and the trace, at the first call. In MPI_Finalize the ranks add up their totals;
    /// other endings need no running MPI.
    void tell(Ending ending);

private:
    Summary summary(Ending ending) const;

    const SummaryRequest& request_;
    const bool counts_;
    const World& world_;
    const JobProfile& profile_;
    const Boards& boards_;
    const int rank_, ranks_;
    const long pid_;
    TickScale scale_;
    std::unique_ptr<Tracer> tracer_;
    std::mutex mutex_;
    std::vector<Reported*> communicators_;     // in the order in which they entered
    std::map<int, CommunicatorRecord> freed_;  // by number of ranks
    std::vector<std::string> notes_;
    std::chrono::system_clock::time_point began_ = std::chrono::system_clock::now();
    std::uint64_t first_tick_ = ticks();
    std::atomic<std::uint64_t> spent_ = 0;
    bool told_ = false;
};

/// Adds its lifetime to the time that Echelon takes beside the calls (Reporter::spend).
class Spending {
public:
    /// Has no effect without a summary, or if not `counted`.
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
