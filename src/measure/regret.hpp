// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/units.hpp"

#include <string>
#include <utility>
#include <vector>

namespace echelon {

/// What a choice costs: its time over the best of all recipes measured, minus 1.
struct RegretCell {
    /// Which communicator was asked.
    std::string part = "all";
    int ranks = 0;
    Collective collective = Collective::allreduce;
    Bytes bytes = 0;
    std::string chosen, source, best;
    /// Of the choice, of the best, of the MPI library's own collective; medians.
    double seconds = 0, best_seconds = 0, native_seconds = 0;
    /// Half the widths of the intervals of choice and best together, as a share: what noise alone may make.
    double noise = 0;
    /// How many were measured.
    std::size_t recipes = 0;
    /// What others would have chosen (models, policies), by name, and the time of that.
    struct Other {
        std::string name, recipe;
        double seconds = 0;
    };
    std::vector<Other> others = {};
    /// Of every recipe that was measured.
    std::vector<std::pair<std::string, double>> times = {};

    double regret() const { return seconds / best_seconds - 1; }
    /// Above 0: slower than native.
    double against_native() const { return seconds / native_seconds - 1; }
};

struct RegretSummary {
    double mean = 0, p95 = 0, max = 0, worst_against_native = 0;
};
/// Requires: at least one cell.
RegretSummary summary_of(const std::vector<RegretCell>& cells);
/// Of each part that has cells, in the order in which they were asked.
std::vector<std::pair<std::string, std::vector<RegretCell>>> by_part(const std::vector<RegretCell>& cells);
/// The same for one of the others; over those cells where its choice was measured.
RegretSummary summary_of(const std::vector<RegretCell>& cells, const std::string& other);

}  // namespace echelon
