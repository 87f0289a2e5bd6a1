// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/race.hpp"
#include "estimators/profile/profile.hpp"
#include "measure/regret.hpp"

#include <cstdio>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace echelon::bench {

/// One line of the results.
struct Result {
    Cell cell;
    int ranks = 0;
    /// In the syntax of Recipe::parse.
    std::string recipe;
    /// Source of the choice: library (the MPI library was called directly), hint (--recipes), else the source
    /// that explain reports.
    std::string source;
    Time time;
    /// Speedup over the MPI library's own collective.
    MedianInterval speedup = {1, 1, 1};
};

/// Speedup of contenders that took turns: the median of the ratios of their rounds. If one of them had more
/// rounds: the ratio of the medians, with the widest interval.
MedianInterval speedup(const Time& native, const Time& other);

/// A refused recipe and the reason.
struct Skipped {
    Cell cell;
    std::string recipe;
    std::string reason;

    friend bool operator==(const Skipped& a, const Skipped& b) {
        return a.cell.collective == b.cell.collective && a.recipe == b.recipe && a.reason == b.reason;
    }
};

/// Conditions of a measurement that a reader needs to repeat it. Gathered by describe().
struct Machine {
    std::string host, processor;
    int cores = 0;
    std::string mpi, echelon, date;
    int ranks = 0, nodes = 0;
    /// Distribution of ranks over nodes, in the syntax of profiles.
    std::string layout = {};
    bool simulated = false;
    /// More ranks than processors.
    bool crowded = false;
    /// Ranks start at one instant of a common clock; else behind a barrier.
    bool common_clock = true;
    std::string type, op;
    int root = 0, repetitions = 0;
    std::string command = {};
    /// The processors that each rank may use, as the kernel writes them; empty for simulated ranks.
    std::vector<std::string> binding = {};
    /// Mean number of running or ready processes in the last minute; negative: unknown.
    double load = -1;
    /// Governor of the processor's clock (performance, powersave, ...); empty: unknown.
    std::string governor = {};
};

/// Headings and lines in the style of the OSU benchmarks: comments, and a line for each size and recipe.
void print_heading(std::ostream& out, Collective collective, const Machine& machine);
/// Prints the fastest first.
void print_ranked(std::ostream& out, std::vector<Result> of_one_cell);

/// Writes a line for each result; the samples are in one field, separated by blanks.
void write_csv(std::ostream& out, const Machine& machine, const std::vector<Result>& results);
/// Writes {"finished": ..., "machine": {...}, "results": [{collective, bytes, ranks, recipe, source,
/// median_s, ..., samples_s}], "skipped": [{collective, bytes, recipe, reason}]}. Not `finished`: the results
/// up to this point.
void write_json(std::ostream& out, const Machine& machine, const std::vector<Result>& results,
                const std::vector<Skipped>& skipped, bool finished);
/// Results of --regret: the cells, the profile that chose, and each part's placement, which lets study_choice
/// apply another choice to these measurements.
struct Regrets {
    Machine machine;
    Profile profile;
    std::map<std::string, std::string> placements = {};
    std::vector<RegretCell> cells = {};
};
/// Writes {"machine": {...}, "profile": {...}, "placements": {part: words}, "regret": {mean, p95, max,
/// worst_against_native, by_choice: {name: {...}}, cells: [{..., times: {recipe: seconds}}]}}
void write_json(std::ostream& out, const Regrets& found);

}  // namespace echelon::bench
