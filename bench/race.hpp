// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/common_start.hpp"
#include "bench/contender.hpp"
#include "bench/statistics.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace echelon::bench {

/// How often and how long is measured.
struct Effort {
    int repetitions = 1;
    int warm_up = 0;
    bool check = true;
    /// The instant, by rank 0's now(), after which no further round begins; 0: never. Three rounds are always
    /// run.
    double deadline = 0;
};

/// What one contender took.
struct Time {
    Interval seconds;
    std::size_t repetitions = 0;
    /// Calls back to back in a repetition.
    int calls = 1;
    bool correct = true;
};

/// Measures a cell: contenders take turns, one repetition each a round, each round beginning with another
/// one.
class Race {
public:
    /// All must outlive this.
    Race(const Cell& cell, Workload& workload, CommonStart& start, MPI_Comm control)
        : cell_(cell), workload_(workload), start_(start), control_(control) {}

    /// First calls, checks and warm-up: takes the contender in, or says why it cannot serve. Collective.
    std::optional<std::string> enter(Contender& contender, const Effort& effort);
    /// Of those that entered, in that order. Collective.
    std::vector<Time> run(const Effort& effort);

private:
    struct Runner {
        Contender* contender;
        int calls;
        bool correct;
        std::vector<double> samples = {};
    };
    /// Calls of so short a time that the clock or the start would blur it are made several in a row.
    int calls_in_a_row(Contender& contender);
    double one_repetition(Contender& contender, int calls);
    bool in_time(const Effort& effort) const;
    bool checked_call(Contender& contender);

    Cell cell_;
    Workload& workload_;
    CommonStart& start_;
    MPI_Comm control_;
    std::vector<Runner> runners_;
};

}  // namespace echelon::bench
