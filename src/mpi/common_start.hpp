// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/clock.hpp"

#include <mpi.h>

#include <functional>
#include <span>
#include <vector>

namespace echelon {

/// Lets the ranks of a communicator begin measured work together, and returns the slowest rank's time.
///
/// If the ranks read one clock, rank 0 announces an instant and all wait for it: no rank begins ahead of
/// another, unlike after a barrier. In a series one announcement serves all its work: each piece begins in a
/// window of its own (the scheme of SKaMPI, Worsch et al. 2002), and the ranks exchange their times at the
/// end: no message travels between two calls. If each node has its own clock, work begins after a barrier.
class CommonStart {
public:
    /// Finds out if the ranks read one clock: they run under one kernel, and no rank leaves a barrier before
    /// the last has entered it. `comm` must outlive this. Collective.
    explicit CommonStart(MPI_Comm comm);

    bool clocks_shared() const { return clocks_shared_; }
    /// On some node the ranks outnumber their processors: too few exist, or several ranks are bound to one.
    bool crowded() const { return crowded_; }
    /// Number of attempts at work for which a rank begins late.
    int attempts() const { return attempts_; }

    struct Work {
        /// `prepare` runs before `work`, unmeasured; `work` is measured.
        std::function<void()> prepare = {}, work = {};
        /// Expected seconds of both, equal on all ranks; they set the width of the windows.
        double preparing = 0, working = 0;
    };
    struct Lap {
        /// Seconds from the start until the last rank had finished the work.
        double seconds;
        /// Seconds of the slowest rank's preparation.
        double preparing;
        /// No rank began too late: the lap is valid.
        bool counts;
    };
    /// Runs and measures all work in order. All ranks get the same result. Collective.
    std::vector<Lap> series(std::span<const Work> all);
    /// Seconds of the window of `one` in a series.
    double window(const Work& one) const {
        constexpr double longer = 1.25;
        return longer * (one.preparing + one.working) + slack_;
    }

    /// Seconds until the last rank has finished `work`; the same on all ranks. `work` may run several times,
    /// equally often on all ranks. Collective.
    double time(const std::function<void()>& work) { return timed(work, attempts_); }
    /// Like time(), for work that cannot be repeated: it runs once, and its time counts even if a rank began
    /// late.
    double time_once(const std::function<void()>& work) { return timed(work, 1); }

    /// The maximum of each number over the ranks. Collective.
    std::vector<double> greatest(const std::vector<double>& own) const;

private:
    std::vector<Lap> in_windows(std::span<const Work> all);
    double timed(const std::function<void()>& work, int attempts);
    /// Waits for an announced start and returns its instant by this rank's clock. `ready`: seconds by which
    /// this rank was late for it; negative if it was early.
    double begin(double& ready);
    double adapted(double notice, double too_short, double shorter) const;
    bool barriers_hold() const;
    bool some_have_no_processor() const;

    MPI_Comm comm_;
    bool crowded_;
    /// Ranks that wait give their processors away: they share them, or a preloaded library demands it.
    bool yields_;
    bool clocks_shared_;
    int attempts_ = 4;
    double notice_ = first_notice;  // seconds between the announcement of a start and its instant
    double slack_ = first_notice;   // seconds added to the expected time in a window
};

}  // namespace echelon
