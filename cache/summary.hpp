// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/mpi_team.hpp"
#include "cache/over_ranks.hpp"
#include "cache/settings.hpp"
#include "cache/tally.hpp"
#include "estimators/network/hockney.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace echelon {

/// What was counted on a communicator, or on several of equal size that were freed.
struct CommunicatorRecord {
    std::string name;
    int ranks = 0;
    long communicators = 1;
    bool freed = false;
    Tally tally = {};
    SplitCounters splits = {};
    long plans_made = 0, plan_hits = 0;

    void add(const CommunicatorRecord& other);
};

/// How a program left MPI.
enum class Ending : std::uint8_t { finalized, without_finalize, abort, signal };

/// What each rank sums up; times in seconds. Nothing but Spreads, which over_ranks() takes in a row.
struct Totals {
    struct Of {
        Spread calls, seconds;
    };
    /// Since MPI_Init; in collectives.
    Spread wall, inside;
    /// Against the library's own collectives, by what trials or the profile measured of both.
    Spread saved_by_trials, saved_by_profile;
    /// To settle, decide, split and try.
    Spread cost;
    /// All calls; those of which it is known what they saved; those that did not run the library's own.
    Spread calls, judged, served;
    std::array<Of, all_collectives.size()> of;

    const Of& operator[](Collective collective) const { return of[std::size_t(collective)]; }
    std::span<const Spread> row() const;
    static Totals from(std::span<const Spread> row);
};

/// What a process reports at its end.
struct Summary {
    int rank = 0, ranks = 0;
    Ending ending = Ending::finalized;
    double seconds_per_tick = 0;
    std::vector<CommunicatorRecord> communicators = {};

    std::chrono::system_clock::time_point began = {};
    /// Of MPI_COMM_WORLD's ranks; 0: not known.
    int nodes = 0;
    /// Of how many ranks the totals tell: all, or this one.
    int totals_of = 1;
    Totals totals = {};
    /// What this rank held of memory that ranks share, at most, and might have.
    Bytes shared_memory = 0, most_shared_memory = 0;
    /// Sentences on what went another way than was asked for.
    std::vector<std::string> notes = {};
    /// The file; else why there is none. Both empty: nobody has looked.
    std::string profile = {}, no_profile = {};
    /// What a message between nodes takes, as MPI_Init saw it; nothing: nobody looked.
    std::optional<Hockney> link = {};
    /// Of this rank's node in the minute before, below 0: not known; its processors, and how many of the ranks it has.
    double load = -1;
    int processors = 0, ranks_here = 0;

    /// Other programs wanted the processors, too: by half more than there are, or than the ranks want.
    bool disturbed() const { return load > 1.5 * std::max(processors, ranks_here); }

    /// The totals of this rank, from its communicators.
    void sum_up(Seconds wall, Seconds settling);
};

/// Sizes that Tally::Key's power stands for.
inline Bytes first_size(int power) { return power == 0 ? 0 : Bytes(1) << (power - 1); }
inline Bytes last_size(int power) { return power == 0 ? 0 : (first_size(power) - 1) * 2 + 1; }
/// 2026-01-31 12:00:00 UTC.
std::string utc(std::chrono::system_clock::time_point time);
/// The program that this process runs: its name, and all its words.
std::string program_name();
std::string command_line();

/// A screen.
std::string to_text(const Summary& summary);
/// Everything (docs/drop_in.md).
std::string to_json(const Summary& summary);

/// Writes it where it was asked for, if this rank is asked. A file that cannot be written is said on standard
/// error.
void write(const Summary& summary, const SummaryRequest& request);

}  // namespace echelon
