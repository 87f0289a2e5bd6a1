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
    /// As Recipe::parse reads it.
    std::string recipe;
    /// Who chose it: library (the MPI library was called directly), hint (--recipes), else as explain says
    /// it.
    std::string source;
    Time time;
    /// How many times faster than the MPI library's own collective.
    MedianInterval speedup = {1, 1, 1};
};

/// Of contenders that took turns: the median of the ratios of their rounds; where one of them had more rounds,
/// of the medians, with the widest interval.
MedianInterval speedup(const Time& native, const Time& other);

/// A recipe that could not serve, and why.
struct Skipped {
    Cell cell;
    std::string recipe;
    std::string reason;

    friend bool operator==(const Skipped& a, const Skipped& b) {
        return a.cell.collective == b.cell.collective && a.recipe == b.recipe && a.reason == b.reason;
    }
};

/// Where and how was measured: what a reader of the results must know to repeat them. Gathered by describe().
struct Machine {
    std::string host, processor;
    int cores = 0;
    std::string mpi, echelon, date;
    int ranks = 0, nodes = 0;
    /// Who shares a node, as profiles say it.
    std::string layout = {};
    bool simulated = false;
    /// More ranks than processors.
    bool crowded = false;
    /// Ranks begin at one instant of a common clock; else behind a barrier.
    bool common_clock = true;
    std::string type, op;
    int root = 0, repetitions = 0;
    std::string command = {};
    /// The processors that each rank may use, as the kernel writes them; empty for simulated ranks.
    std::vector<std::string> binding = {};
    /// Processes that were running or ready in the last minute, in the mean; negative: not known.
    double load = -1;
    /// Who sets the processor's clock (performance, powersave, ...); empty: not known.
    std::string governor = {};
};

/// As the OSU benchmarks print theirs: comments, and a line for each size, here and recipe.
void print_heading(std::ostream& out, Collective collective, const Machine& machine);
/// The fastest first.
void print_ranked(std::ostream& out, std::vector<Result> of_one_cell);

/// A line for each result; the samples in one field, with blanks between.
void write_csv(std::ostream& out, const Machine& machine, const std::vector<Result>& results);
/// {"finished": ..., "machine": {...}, "results": [{collective, bytes, ranks, recipe, source, median_s, ...,
/// samples_s}], "skipped": [{collective, bytes, recipe, reason}]}. Not `finished`: what there is so far.
void write_json(std::ostream& out, const Machine& machine, const std::vector<Result>& results,
                const std::vector<Skipped>& skipped, bool finished);
/// What was found by --regret: the cells, the profile that chose, and each part's placement, so that another choice
/// can be asked of the same measurements (study_choice).
struct Regrets {
    Machine machine;
    Profile profile;
    std::map<std::string, std::string> placements = {};
    std::vector<RegretCell> cells = {};
};
/// {"machine": {...}, "profile": {...}, "placements": {part: words}, "regret": {mean, p95, max, worst_against_native,
/// by_choice: {name: {...}}, cells: [{..., times: {recipe: seconds}}]}}
void write_json(std::ostream& out, const Regrets& found);

}  // namespace echelon::bench
