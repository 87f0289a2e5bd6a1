// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/statistics.hpp"
#include "mpi/common_start.hpp"

#include <functional>
#include <vector>

namespace echelon {

/// The number of measurements and the time for them.
struct Effort {
    /// Measurements of each contender, at least and at most.
    int fewest = 3, rounds = 1;
    /// The instant, by rank 0's now(), after which no further round begins; 0: none.
    double deadline = 0;
    /// A contender is done when half of its median's confidence interval is at most `precision` times the
    /// median, or when it is surely more than `hopeless` times slower than the best. 0: never.
    double precision = 0, hopeless = 0;
};

/// The measured time of one contender.
struct Timing {
    MedianInterval seconds;
    std::size_t repetitions = 0;
    /// Calls back to back in a repetition.
    int calls = 1;
    /// Seconds per call of each repetition, in order.
    std::vector<double> samples = {};

    /// Half the interval's width, as a share of the median.
    double spread() const;
};

/// Measures calls in turns, to spread noise evenly: each round has one repetition of every contender and
/// begins with another one. All code that compares collectives measures with it.
class Turns {
public:
    /// `start` and `control` must outlive this.
    Turns(CommonStart& start, MPI_Comm control) : start_(start), control_(control) {}

    /// Adds a contender. `prepare` runs before each repetition, unmeasured. With `in_a_row` calls too short
    /// for the clock run several in one repetition. Requires then: no rank can run ahead. The root of a bcast
    /// could, and the result would be the time between two calls.
    void add(std::function<void()> prepare, std::function<void()> call, bool in_a_row) {
        contenders_.push_back(
            {.work = {.prepare = std::move(prepare)}, .call = std::move(call), .in_a_row = in_a_row});
    }
    /// Measures all contenders, in the order they were added. Collective; the same result on all ranks.
    std::vector<Timing> run(const Effort& effort);

private:
    struct Contender {
        CommonStart::Work work;
        std::function<void()> call;
        bool in_a_row;
        int calls = 1;
        bool done = false;
        std::vector<double> samples = {};

        Timing timing() const { return {median_interval(samples), samples.size(), calls, samples}; }
    };
    /// Estimates each contender's time by a few calls without a common start: for the windows, and to drop
    /// hopeless contenders. Collective.
    void get_to_know(const Effort& effort);
    /// Marks contenders that need no more measurements; true if all are done.
    bool settle(const Effort& effort);
    /// Number of rounds before the next settle(); 0 if the time is over. Collective with a deadline.
    int rounds_at_once(int before, const Effort& effort) const;
    /// Runs `rounds` rounds of the contenders that are not done. Collective.
    void go_round(int before, int rounds);

    CommonStart& start_;
    MPI_Comm control_;
    std::vector<Contender> contenders_;
};

}  // namespace echelon
