// SPDX-License-Identifier: Apache-2.0
#include "cache/reporter.hpp"

#include "cache/state.hpp"
#include "mpi/quirks.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <utility>

namespace echelon {

Reporter::Reporter(const Settings& settings, const World& world, const HeardProfile& profile,
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

void Reporter::enter(State* state) {
    const std::scoped_lock lock(mutex_);
    states_.push_back(state);
}

void Reporter::leave(State* state) {
    const std::scoped_lock lock(mutex_);
    std::erase(states_, state);
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
    for (const State* state : states_)
        summary.communicators.push_back(state->record(ending == Ending::finalized));
    for (const auto& [ranks, record] : freed_) summary.communicators.push_back(record);
    std::erase_if(summary.communicators,
                  [](const CommunicatorRecord& record) { return record.tally.empty(); });
    if (const Roll* const roll = world_.roll()) {
        std::vector<int> all(std::size_t(ranks_), 0);
        std::iota(all.begin(), all.end(), 0);
        const Placement placement = roll->placement(all);
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

void Reporter::tell(Ending ending) {
    if (getpid() != pid_) return;  // a child that was forked ends, and knows nothing of MPI
    if (!observes()) return;
    // At the exit of a program other threads may be anywhere, also in here.
    std::unique_lock lock(mutex_, std::defer_lock);
    if (ending == Ending::finalized || ending == Ending::signal)
        lock.lock();
    else if (!lock.try_lock())
        return;
    const bool reports = !std::exchange(told_, true);
    if (reports && tracer_ != nullptr) tracer_->write(rank_, scale_.seconds_per_tick());
    if (!counts()) return;
    const bool sums_up =
        world_.sums_up() && ending == Ending::finalized;  // even if nobody listens any more: the others do
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
            made.totals_of = ranks_;
        }
    }
    if (reports) write(made, request_);
}

}  // namespace echelon
