// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/contender.hpp"
#include "mpi/turns.hpp"

#include <optional>
#include <string>
#include <vector>

namespace echelon::bench {

/// How a cell is measured.
struct Care {
    Effort effort = {};
    int warm_up = 0;
    bool check = true;
};

/// What one contender took, and whether its results were right.
struct Time : Timing {
    bool correct = true;
};

/// Measures a cell: contenders take turns.
class Race {
public:
    /// All must outlive this.
    Race(const Cell& cell, Workload& workload, CommonStart& start, MPI_Comm control)
        : cell_(cell), workload_(workload), turns_(start, control) {}

    /// First calls, checks and warm-up: takes the contender in, or says why it cannot serve. Collective.
    std::optional<std::string> enter(Contender& contender, const Care& care);
    /// Of those that entered, in that order. Collective.
    std::vector<Time> run(const Care& care);

private:
    struct Runner {
        Contender* contender;
        bool correct;
    };
    bool checked_call(Contender& contender);

    Cell cell_;
    Workload& workload_;
    Turns turns_;
    std::vector<Runner> runners_;
};

}  // namespace echelon::bench
