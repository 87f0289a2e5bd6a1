// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/mpi_site.hpp"
#include "cache/settings.hpp"
#include "cache/tally.hpp"

namespace echelon {

/// What was counted on a communicator, or on several of equal size that were freed.
struct CommunicatorRecord {
    std::string name;
    int ranks = 0;
    long communicators = 1;
    bool freed = false;
    Tally tally;
    SplitCounters splits;
    long plans_made = 0, plan_hits = 0;

    void add(const CommunicatorRecord& other);
};

/// What a process reports at its end.
struct Summary {
    int rank = 0, ranks = 0;
    /// MPI was finalised; else the program ended without.
    bool finalized = true;
    double seconds_per_tick = 0;
    std::vector<CommunicatorRecord> communicators;
};

std::string to_text(const Summary& summary);
std::string to_json(const Summary& summary);

/// Writes it where it was asked for, if this rank is asked. A file that cannot be written is said on standard
/// error.
void write(const Summary& summary, const SummaryRequest& request);

}  // namespace echelon
