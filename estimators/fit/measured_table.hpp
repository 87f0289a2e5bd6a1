// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "estimators/profile/profile.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// A line of a table of measurements.
struct MeasuredLine {
    /// Empty if the table has no column for it.
    std::string machine, library, run;
    Collective collective = Collective::allreduce;
    int nodes = 0, ranks_per_node = 0;
    /// Length of the whole vector; if each rank has a block, of all blocks together.
    Bytes bytes = 0;
    /// Name in the table.
    std::string algorithm;
    Seconds seconds = 0;

    int ranks() const { return nodes * ranks_per_node; }
};

/// Reads comma separated values whose first line names the columns, in any order and case. Other columns are
/// skipped.
///
///   collective, bytes (or size), algorithm (or recipe)
///   nodes, ranks_per_node (or ppn), ranks (or p): two of them; or none, if both arguments are given
///   seconds, ms or us, or with median_, mean_, min_ or avg_ before it: the first of these
///   machine, library, run: optional
///
/// Throws Error for a missing column or an invalid value; the message names the line.
std::vector<MeasuredLine> read_table(std::string_view text, int nodes = 0, int ranks_per_node = 0);

/// A profile's samples from the lines: the median over several runs of an algorithm, the fastest of several
/// implementations of a recipe.
struct TableSamples {
    std::vector<Sample> samples;
    /// Collective and name without a row in the catalog, and the number of their lines.
    struct LeftOut {
        Collective collective;
        std::string algorithm;
        int lines;
    };
    std::vector<LeftOut> left_out;
};
TableSamples samples_of(const std::vector<MeasuredLine>& lines);

}  // namespace echelon
