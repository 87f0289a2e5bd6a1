// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/contender.hpp"
#include "mpi/turns.hpp"

#include <optional>
#include <string>
#include <vector>

namespace echelon::bench {

/// Conditions of the measurement of a cell.
struct Care {
    Effort effort = {};
    int warm_up = 0;
    bool check = true;
};

/// Times of one contender, and the check of its results.
struct Time : Timing {
    bool correct = true;
};

/// Measures a cell: contenders take turns.
class Race {
public:
    /// All arguments must outlive this.
    Race(const Cell& cell, Workload& workload, CommonStart& start, MPI_Comm control)
        : cell_(cell), workload_(workload), turns_(start, control) {}

    /// First calls, checks and warm-up: accepts the contender, or returns the reason for a refusal.
    /// Collective.
    std::optional<std::string> enter(Contender& contender, const Care& care);
    /// Times of the accepted contenders, in their order. Collective.
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
