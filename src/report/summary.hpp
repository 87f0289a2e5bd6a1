// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/hockney.hpp"
#include "report/over_ranks.hpp"
#include "report/split_counters.hpp"
#include "report/tally.hpp"
#include "settings/settings.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace echelon {

/// The counts of a communicator, or of all freed ones with the same number of ranks.
struct CommunicatorRecord {
    std::string name;
    int ranks = 0;
    long communicators = 1;
    bool freed = false;
    Tally tally = {};
    SplitCounters splits = {};
    long plans_made = 0, plan_hits = 0;
    /// Why calls were left to the library without a comparison or a request.
    std::vector<std::string> reasons = {};

    void add(const CommunicatorRecord& other);
};

/// The way in which a program left MPI.
enum class Ending : std::uint8_t { finalized, without_finalize, abort, signal };

/// The totals of a rank, or over ranks; times in seconds. All members are Spreads: over_ranks() takes them as
/// a row.
struct Totals {
    struct Of {
        Spread calls, seconds;
    };
    /// Time since MPI_Init, and time in collectives.
    Spread wall, inside;
    /// Time saved against the native collectives, by measurements of trials or of the profile.
    Spread saved_by_trials, saved_by_profile;
    /// Time for agreements, decisions, splits and trials.
    Spread cost;
    /// Number of all calls, of calls with a known saving, and of calls that were not native.
    Spread calls, judged, served;
    std::array<Of, all_collectives.size()> of;

    const Of& operator[](Collective collective) const { return of[std::size_t(collective)]; }
    std::span<const Spread> row() const;
    static Totals from(std::span<const Spread> row);
};

/// The report of a process at its end.
struct Summary {
    int rank = 0, ranks = 0;
    Ending ending = Ending::finalized;
    double seconds_per_tick = 0;
    std::vector<CommunicatorRecord> communicators = {};

    std::chrono::system_clock::time_point began = {};
    /// Number of nodes of MPI_COMM_WORLD; 0: unknown.
    int nodes = 0;
    /// Number of ranks in the totals: all, or 1.
    int totals_of = 1;
    Totals totals = {};
    /// Shared memory of this rank: the most that it held, and its limit.
    Bytes shared_memory = 0, most_shared_memory = 0;
    /// Sentences on deviations from requests.
    std::vector<std::string> notes = {};
    /// The profile's file, or the reason why there is none. Both are empty if no rank searched.
    std::string profile = {}, no_profile = {};
    /// Time of a message between nodes, measured in MPI_Init; nothing if it was not measured.
    std::optional<Hockney> link = {};
    /// Load of this rank's node in the last minute (below 0: unknown), its processors, and its ranks.
    double load = -1;
    int processors = 0, ranks_here = 0;

    /// True if other programs used the processors: the load is half above the number of processors, or of
    /// ranks.
    bool disturbed() const { return load > 1.5 * std::max(processors, ranks_here); }

    /// Sets the totals of this rank, from its communicators. `settling`: the time of Reporter::spend().
    void sum_up(Seconds wall, Seconds settling);
};

/// The smallest and the largest size of a Tally::Key's power.
inline Bytes first_size(int power) { return power == 0 ? 0 : Bytes(1) << (power - 1); }
inline Bytes last_size(int power) { return power == 0 ? 0 : (first_size(power) - 1) * 2 + 1; }
/// The time as `2026-01-31 12:00:00 UTC`.
std::string utc(std::chrono::system_clock::time_point time);
/// The name of this process's program, and its whole command line.
std::string program_name();
std::string command_line();

/// The report for people: a screen of text.
std::string to_text(const Summary& summary);
/// The report for programs, with all counts (docs/drop_in.md).
std::string to_json(const Summary& summary);
/// The report for Prometheus, in its text format: totals, calls by recipe and source.
std::string to_prometheus(const Summary& summary);

/// Writes the summary to the requested place, if this rank writes one. If the file cannot be written, a
/// message goes to standard error.
void write(const Summary& summary, const SummaryRequest& request);

}  // namespace echelon
