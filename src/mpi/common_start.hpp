// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/clock.hpp"

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace echelon {

/// How long before it a start is announced, at least and at most, and how often work for which a rank came too late is
/// done again.
struct Announcement {
    double notice = first_notice, longest_notice = std::max(0.1, 10 * first_notice);
    int attempts = 4;
};

/// Lets the ranks of a communicator begin measured work together, and says how long the slowest of them took.
///
/// Where the ranks read one clock, rank 0 announces an instant and all wait for it: no rank begins ahead of
/// another, as they do behind a barrier. In a series one announcement serves all its work: each begins in a window of its own
/// (the scheme of SKaMPI, Worsch et al. 2002), and what the ranks saw is brought together at the end, so that between two calls none
/// sends anything. Where each node has a clock of its own, work begins behind a barrier instead.
class CommonStart {
public:
    /// Collective. Finds out whether the ranks read one clock: under one kernel, and no rank leaves a barrier before the last has
    /// entered it. `comm` must outlive this.
    explicit CommonStart(MPI_Comm comm, const Announcement& announcement = {});

    bool clocks_shared() const { return clocks_shared_; }
    /// On some node not each rank can have a processor of its own, be there too few or be several bound to one.
    bool crowded() const { return crowded_; }
    /// It is worth while to do late work again so many times in all.
    int attempts() const { return announcement_.attempts; }

    struct Work {
        /// Before it, unmeasured; what is measured.
        std::function<void()> prepare = {}, work = {};
        /// What either takes, roughly, for those that begin behind it. The same on all ranks.
        double preparing = 0, working = 0;
    };
    struct Lap {
        /// Until the last rank had finished the work.
        double seconds;
        /// Of the last rank's preparation.
        double preparing;
        /// No rank began too late for that to count.
        bool counts;
    };
    /// One after the other; the same on all ranks. Collective.
    std::vector<Lap> series(std::span<const Work> all);
    /// What is left to such work in a series.
    double window(const Work& one) const {
        constexpr double longer = 1.25;
        return longer * (one.preparing + one.working) + slack_;
    }

    /// Seconds until the last rank has finished `work`; the same on all ranks. Collective. `work` may run
    /// several times, as often on all ranks.
    double time(const std::function<void()>& work) { return timed(work, announcement_.attempts); }
    /// The same for work that is different the second time: its time counts though a rank began late.
    double time_once(const std::function<void()>& work) { return timed(work, 1); }

    /// The greatest of each number over the ranks. Collective.
    std::vector<double> greatest(const std::vector<double>& own) const;

private:
    std::vector<Lap> in_windows(std::span<const Work> all);
    double timed(const std::function<void()>& work, int attempts);
    /// Waits for an announced start, and returns its instant by the own clock. `ready`: so long after it this rank was there.
    double begin(double& ready);
    double adapted(double notice, double too_short, double shorter) const;
    bool barriers_hold() const;
    bool some_have_no_processor() const;

    MPI_Comm comm_;
    bool crowded_;
    /// Ranks that wait give their processors away: where it is crowded, or they were made to.
    bool yields_;
    bool clocks_shared_;
    Announcement announcement_;
    double notice_;
    double slack_;  // of windows, to what happens in them
};

}  // namespace echelon
