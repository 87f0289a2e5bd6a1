// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/clock.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>

namespace echelon {

/// How long before it a start is announced, at least and at most, and how often a repetition is made again.
struct Announcement {
    double notice = first_notice, longest_notice = std::max(0.1, 10 * first_notice);
    int attempts = 4;
};

/// Lets the ranks of a communicator begin measured work together, and says how long the slowest of them took.
///
/// Where the ranks read one clock, rank 0 announces an instant and all wait for it: no rank begins ahead of
/// another, as they do behind a barrier. A repetition for which some rank came too late is made again, with
/// earlier notice. Where each node has a clock of its own, work begins behind a barrier instead.
class CommonStart {
public:
    /// Collective. Finds out which clocks are shared: by one, no rank leaves a barrier before the last has
    /// entered it. `comm` must outlive this.
    explicit CommonStart(MPI_Comm comm, const Announcement& announcement = {});

    bool clocks_shared() const { return clocks_shared_; }
    /// On some node not each rank can have a processor of its own, be there too few or be several bound to one: waiting
    /// ranks give theirs away.
    bool crowded() const { return crowded_; }

    /// Seconds until the last rank has finished `work`; the same on all ranks. Collective. `work` may run
    /// several times, as often on all ranks.
    template <class Work>
    double time(Work&& work) {
        for (int attempt = 1; !timed(work) && attempt < announcement_.attempts; ++attempt) {
        }
        return slowest_;
    }
    /// The same for work that is different the second time: its time counts though a rank began late.
    template <class Work>
    double time_once(Work&& work) {
        timed(work);
        return slowest_;
    }

private:
    /// False if a rank began too late for slowest_ to count.
    template <class Work>
    bool timed(Work& work) {
        const double start = begin();
        const double began = now();
        work();
        return end(start, began);
    }

    /// Waits for the start, and returns its instant by the own clock.
    double begin();
    /// Takes all ranks' times together. False if one began too late for the result to count.
    bool end(double start, double began);
    void agree(const std::array<double, 3>& own, std::array<double, 3>& worst) const;
    bool barriers_hold() const;
    bool some_have_no_processor() const;

    MPI_Comm comm_;
    int rank_ = 0;
    bool clocks_shared_;
    bool crowded_;
    Announcement announcement_;
    double notice_;
    double spare_ = 0;  // of the last notice, when it had arrived
    double slowest_ = 0;
};

}  // namespace echelon
