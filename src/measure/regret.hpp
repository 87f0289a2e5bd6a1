// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/units.hpp"

#include <string>
#include <utility>
#include <vector>

namespace echelon {

/// Regret of a choice: its time over the best of all measured recipes, minus 1.
struct RegretCell {
    /// Name of the communicator.
    std::string part = "all";
    int ranks = 0;
    Collective collective = Collective::allreduce;
    Bytes bytes = 0;
    std::string chosen, source, best;
    /// Medians of the choice, of the best recipe and of the native collective.
    double seconds = 0, best_seconds = 0, native_seconds = 0;
    /// Sum of the half widths of the intervals of choice and best, as a share: the regret that noise alone
    /// may cause.
    double noise = 0;
    /// Number of measured recipes.
    std::size_t recipes = 0;
    /// Choice of another model or policy, by name, and its time; 0 if it was not measured.
    struct Other {
        std::string name, recipe;
        double seconds = 0;
    };
    std::vector<Other> others = {};
    /// Times of all measured recipes.
    std::vector<std::pair<std::string, double>> times = {};

    double regret() const { return seconds / best_seconds - 1; }
    /// Positive if the choice is slower than native.
    double against_native() const { return seconds / native_seconds - 1; }
};

struct RegretSummary {
    double mean = 0, p95 = 0, max = 0, worst_against_native = 0;
};
/// Requires: at least one cell.
RegretSummary summary_of(const std::vector<RegretCell>& cells);
/// Cells of each part, in the order of measurement.
std::vector<std::pair<std::string, std::vector<RegretCell>>> by_part(const std::vector<RegretCell>& cells);
/// Summary for one of the others, over the cells where its choice was measured.
RegretSummary summary_of(const std::vector<RegretCell>& cells, const std::string& other);

}  // namespace echelon
