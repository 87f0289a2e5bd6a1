// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/statistics.hpp"
#include "mpi/common_start.hpp"

#include <functional>
#include <vector>

namespace echelon {

/// How often and how long is measured.
struct Effort {
    /// Measurements of each contender, at least and at most.
    int fewest = 3, rounds = 1;
    /// The instant, by rank 0's now(), after which no further round begins; 0: never.
    double deadline = 0;
    /// Enough is known of a contender when half of its median's confidence interval is this share of the
    /// median, and of one that is surely this many times slower than the best. 0: never.
    double precision = 0, hopeless = 0;
};

/// What one contender took.
struct Timing {
    MedianInterval seconds;
    std::size_t repetitions = 0;
    /// Calls back to back in a repetition.
    int calls = 1;
    /// Of each repetition, in order.
    std::vector<double> samples = {};

    /// Half the interval's width, as a share of the median.
    double spread() const;
};

/// Measures calls that take turns, so that noise hits all alike: one repetition each a round, each round
/// beginning with another one. The one measuring core of all that compares collectives.
class Turns {
public:
    /// Both must outlive this.
    Turns(CommonStart& start, MPI_Comm control) : start_(start), control_(control) {}

    /// `prepare` runs before each repetition, unmeasured. `in_a_row`: calls too short for the clock may be
    /// made several at once. Only where no rank can run ahead: the root of a bcast would send one after the
    /// other, and the time of a call would be the time between two.
    void add(std::function<void()> prepare, std::function<void()> call, bool in_a_row) {
        contenders_.push_back(
            {.work = {.prepare = std::move(prepare)}, .call = std::move(call), .in_a_row = in_a_row});
    }
    /// Of all that were added, in that order. Collective; the same on all ranks.
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
    /// What each takes, by a few calls that nobody waits for: what windows are made by, and who is not worth one.
    void get_to_know(const Effort& effort);
    /// Finds out who need not be measured any more; true: nobody is left.
    bool settle(const Effort& effort);
    /// How many rounds are made before all look again; 0: there is no time.
    int rounds_at_once(int before, const Effort& effort) const;
    /// So many, of those that are not done.
    void go_round(int before, int rounds);

    CommonStart& start_;
    MPI_Comm control_;
    std::vector<Contender> contenders_;
};

}  // namespace echelon
