// SPDX-License-Identifier: Apache-2.0
#include "mpi/common_start.hpp"

#include "core/statistics.hpp"
#include "mpi/agree.hpp"
#include "mpi/comm.hpp"
#include "mpi/gather_placement.hpp"
#include "mpi/processors.hpp"
#include "mpi/quirks.hpp"

#include <algorithm>
#include <array>
#include <thread>

namespace echelon {
namespace {

/// A rank may begin late by this part of the time measured, or by the resolution of a clock.
constexpr double tolerated_part = 0.02;
constexpr double tolerated_seconds = 0.2e-6;
/// Seconds of a scheduler's time slice, at least: the time that a rank may wait for a processor in use.
constexpr double turn = 1e-3;

}  // namespace

CommonStart::CommonStart(MPI_Comm comm)
    : comm_(comm),
      crowded_(some_have_no_processor()),
      yields_(crowded_ || !all_say(!was_made_to_give_processors_away(), comm)),
      clocks_shared_(barriers_hold()) {
    if (yields_) attempts_ = 2;
    // Warm-up: adapts the notice to the time that an announcement travels.
    constexpr int enough = 2;
    for (int i = 0; clocks_shared_ && !quirks::simulated && i < enough; ++i) (void)time_once([] {});
}

bool CommonStart::barriers_hold() const {
    const std::vector<double> ids = greatest({clock_id(), -clock_id()});
    bool holds = ids[0] == -ids[1];
    for (int i = 0; holds && i < 3; ++i) {
        const double entered = now();
        PMPI_Barrier(comm_);
        const std::vector<double> last = greatest({entered, -now()});
        holds = last[0] <= -last[1];
    }
    return holds;
}

bool CommonStart::some_have_no_processor() const {
    if constexpr (quirks::simulated) return false;
    const Comm node = Comm::try_node(comm_);
    const bool crowd = all_say(node.get() != MPI_COMM_NULL, comm_)
                           ? is_crowded(node.get())
                           : ranks_on_own_node(comm_) > int(std::thread::hardware_concurrency());
    return !all_say(!crowd, comm_);
}

std::vector<double> CommonStart::greatest(const std::vector<double>& own) const {
    std::vector<double> all(own.size());
    if (!yields_) {
        PMPI_Allreduce(own.data(), all.data(), int(own.size()), MPI_DOUBLE, MPI_MAX, comm_);
        return all;
    }
    // A rank that is done leaves its processor to ranks that still work.
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Iallreduce(own.data(), all.data(), int(own.size()), MPI_DOUBLE, MPI_MAX, comm_, &request);
    for (int arrived = 0; arrived == 0; std::this_thread::yield())
        PMPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    return all;
}

/// Lengthens the notice at once if it was too short by `too_short` > 0; otherwise multiplies it by `shorter`.
double CommonStart::adapted(double notice, double too_short, double shorter) const {
    const double longest = std::max(0.1, 10 * first_notice);
    return std::clamp(too_short > 0 ? 1.2 * (notice + too_short) : shorter * notice, first_notice, longest);
}

double CommonStart::begin(double& ready) {
    if (!clocks_shared_) {
        PMPI_Barrier(comm_);
        return now();
    }
    double start = now() + notice_;
    PMPI_Bcast(&start, 1, MPI_DOUBLE, 0, comm_);
    ready = now() - start;
    wait_until(start, yields_);
    return start;
}

std::vector<CommonStart::Lap> CommonStart::series(std::span<const Work> all) {
    // A rank that yields may miss a window that is shorter than a time slice of the scheduler.
    const bool each = yields_ && std::ranges::any_of(all, [](const Work& one) { return one.working < turn; });
    std::vector<Lap> laps;
    if (!each && !all.empty()) return in_windows(all);
    for (const Work& one : all) laps.push_back(in_windows({&one, 1}).front());
    return laps;
}

std::vector<CommonStart::Lap> CommonStart::in_windows(std::span<const Work> all) {
    double start = 0;
    std::vector<double> own;
    const Work* before = nullptr;
    for (const Work& one : all) {
        const double free = now();
        if (one.prepare) one.prepare();
        const double prepared = now();
        double ready = 0;
        if (before != nullptr && clocks_shared_) {
            start += window({.preparing = one.preparing, .working = before->working});
            ready = prepared - start;
            wait_until(start, yields_);
        } else {
            start = begin(ready);
        }
        const double began = now();
        one.work();
        own.insert(own.end(), {now() - start, prepared - free, began - start, ready});
        before = &one;
    }
    const std::vector<double> worst = greatest(own);
    std::vector<Lap> laps;
    std::vector<double> too_narrow;
    for (std::size_t i = 0; i + 4 <= worst.size(); i += 4) {
        const auto [seconds, preparing, late, ready] =
            std::array{worst[i], worst[i + 1], worst[i + 2], worst[i + 3]};
        // A rank that was ready but waits for a processor would be late again; short work may be in time
        // once.
        const bool in_time = late <= std::max(tolerated_seconds, tolerated_part * seconds) ||
                             (yields_ && ready <= 0 && seconds > turn);
        laps.push_back({seconds, preparing, in_time});
        if (i > 0) too_narrow.push_back(ready);
    }
    notice_ = adapted(notice_, worst[3], 0.98);
    // A quantile, not the maximum: one lost time slice says little about later windows, and wide windows cool
    // the caches.
    constexpr double most = 0.9;
    std::sort(too_narrow.begin(), too_narrow.end());
    if (!too_narrow.empty()) slack_ = adapted(slack_, quantile(too_narrow, most), 0.5);
    return laps;
}

double CommonStart::timed(const std::function<void()>& work, int attempts) {
    const Work one{.work = work};
    Lap lap{};
    for (int attempt = 0; attempt < attempts && !lap.counts; ++attempt) lap = series({&one, 1}).front();
    return lap.seconds;
}

}  // namespace echelon
