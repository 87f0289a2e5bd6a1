// SPDX-License-Identifier: Apache-2.0
#include "report/reporter.hpp"

#include "mpi/quirks.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <utility>

namespace echelon {

Reporter::Reporter(const Settings& settings, const World& world, const JobProfile& profile,
                   const Boards& boards, int rank, int ranks)
    : request_(settings.summary),
      counts_(request_.form != SummaryRequest::Form::none),
      world_(world),
      profile_(profile),
      boards_(boards),
      rank_(rank),
      ranks_(ranks),
      pid_(getpid()) {
    if (!settings.trace.file.empty()) tracer_ = std::make_unique<Tracer>(settings.trace);
}

void Reporter::enter(Reported* communicator) {
    const std::scoped_lock lock(mutex_);
    communicators_.push_back(communicator);
}

void Reporter::leave(Reported* communicator) {
    const std::scoped_lock lock(mutex_);
    std::erase(communicators_, communicator);
}

void Reporter::keep(const CommunicatorRecord& record) {
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = freed_.try_emplace(record.ranks, record);
    if (!is_new) known->second.add(record);
    known->second.freed = true;
    known->second.name.clear();
}

void Reporter::note(const std::string& sentence) {
    const std::scoped_lock lock(mutex_);
    if (std::ranges::find(notes_, sentence) == notes_.end()) notes_.push_back(sentence);
}

Summary Reporter::summary(Ending ending) const {
    Summary summary{.rank = rank_,
                    .ranks = ranks_,
                    .ending = ending,
                    .seconds_per_tick = scale_.seconds_per_tick(),
                    .began = began_};
    summary.shared_memory = boards_.most_held();
    summary.most_shared_memory = boards_.most();
    summary.notes = notes_;
    summary.processors = int(std::thread::hardware_concurrency());
    summary.ranks_here = ranks_;
    if (!quirks::simulated && getloadavg(&summary.load, 1) != 1) summary.load = -1;
    for (const Reported* communicator : communicators_)
        summary.communicators.push_back(communicator->record(ending == Ending::finalized));
    for (const auto& [ranks, record] : freed_) summary.communicators.push_back(record);
    std::erase_if(summary.communicators,
                  [](const CommunicatorRecord& record) { return record.tally.empty(); });
    if (const JobMap* const job_map = world_.job_map()) {
        std::vector<int> all(std::size_t(ranks_), 0);
        std::iota(all.begin(), all.end(), 0);
        const Placement placement = job_map->placement(all);
        summary.nodes = placement.node_count();
        summary.ranks_here = int(std::count_if(
            all.begin(), all.end(), [&](int rank) { return placement.node(rank) == placement.node(rank_); }));
    }
    summary.link = world_.seen_link();
    if (const auto known = profile_.known_without_waiting())
        (known->profile != nullptr ? summary.profile : summary.no_profile) = known->from;
    summary.sum_up(double(ticks() - first_tick_) * summary.seconds_per_tick,
                   double(spent_) * summary.seconds_per_tick);
    return summary;
}

Totals Reporter::totals_now() {
    const std::scoped_lock lock(mutex_);
    return summary(Ending::without_finalize).totals;
}

void Reporter::tell(Ending ending) {
    if (getpid() != pid_) return;  // a forked child, which cannot use MPI, ends
    if (!observes()) return;
    // At exit another thread may hold the lock and never release it.
    std::unique_lock lock(mutex_, std::defer_lock);
    if (ending == Ending::finalized || ending == Ending::signal)
        lock.lock();
    else if (!lock.try_lock())
        return;
    const bool reports = !std::exchange(told_, true);
    if (reports && tracer_ != nullptr) tracer_->write(rank_, scale_.seconds_per_tick());
    if (!counts()) return;
    const bool sums_up =
        world_.sums_up() && ending == Ending::finalized;  // also after a first report: others wait for it
    if (!reports && !sums_up) return;
    Summary made = summary(ending);
    if (sums_up) {
        constexpr Seconds patience = 10;
        std::vector<Spread> all;
        try {
            all = over_ranks(made.totals.row(), patience);
        } catch (const Error&) {  // MPI_Finalize must not fail: the rank reports its own totals
        }
        if (!all.empty()) {
            made.totals = Totals::from(all);
            made.totals_of = ranks_;
        }
    }
    if (reports) write(made, request_);
}

}  // namespace echelon
