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
    /// Empty where the table has no such column.
    std::string machine, library, run;
    Collective collective = Collective::allreduce;
    int nodes = 0, ranks_per_node = 0;
    /// Of the whole vector; where each rank has a block, of all blocks.
    Bytes bytes = 0;
    /// As the table calls it.
    std::string algorithm;
    Seconds seconds = 0;

    int ranks() const { return nodes * ranks_per_node; }
};

/// Reads comma separated values whose first line names the columns, in any order and case; others are passed
/// over.
///
///   collective, bytes (or size), algorithm (or recipe)
///   nodes, ranks_per_node (or ppn), ranks (or p): two of them; or none, with `nodes` and `ranks_per_node` told
///   seconds, ms or us, or with median_, mean_, min_ or avg_ before it: the first of these
///   machine, library, run: if there
///
/// Error: a column that is missing, a value that cannot be; the sentence names the line.
std::vector<MeasuredLine> read_table(std::string_view text, int nodes = 0, int ranks_per_node = 0);

/// A profile's samples from the lines: of an algorithm in several runs the median, of several implementations
/// of one recipe the fastest.
struct TableSamples {
    std::vector<Sample> samples;
    /// Collective and name of what no row of ours does, and how many lines that are.
    struct LeftOut {
        Collective collective;
        std::string algorithm;
        int lines;
    };
    std::vector<LeftOut> left_out;
};
TableSamples samples_of(const std::vector<MeasuredLine>& lines);

}  // namespace echelon
