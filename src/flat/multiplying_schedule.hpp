// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace echelon {

/// One stage of recursive multiplying, in the notation of Ruefenacht et al. 2017.
///
/// | text   | kind          | meaning                                                                       |
/// |--------|---------------|-------------------------------------------------------------------------------|
/// | aB     | multiply      | groups of B ranks exchange their values, all to all                           |
/// | cTmB   | collapse      | among the first T ranks, groups of B become one rank (first stage)            |
/// | eTmB   | expand        | these ranks return the result to their groups (last stage)                    |
/// | mRgGaB | merge         | aB in G groups, which also hear R remaining ranks (first stage)               |
/// | nRgGaB | inverse_merge | aB in G groups, which also tell R remaining ranks (last stage)                |
struct MultiplyingStage {
    enum class Kind { multiply, collapse, expand, merge, inverse_merge };

    Kind kind = Kind::multiply;
    /// B.
    int base = 2;
    /// T or R.
    int ranks = 0;
    /// G.
    int groups = 0;

    friend bool operator==(const MultiplyingStage&, const MultiplyingStage&) = default;
};

using MultiplyingSchedule = std::vector<MultiplyingStage>;

/// Parses "c6m2-a2-a2-e6m2": stages separated by '-' (or by ',' like in the paper). Throws Error with a
/// sentence that names the wrong stage and the correct form.
MultiplyingSchedule parse_multiplying_schedule(std::string_view text);
std::string to_string(const MultiplyingStage& stage);

/// Returns the reason why a schedule does not reduce over p ranks; empty if it does.
std::string misfit(const MultiplyingSchedule& schedule, int p);

/// The ranks that take part in the multiplying stages, as virtual ranks, and the ranks that give their value
/// before and get the result after.
///
/// A collapsed group is represented by its last rank. The remaining ranks of a merge stand in front of the
/// group that hears them. Every group is then a run of ranks, which keeps the rank order. (In the paper they
/// are the ranks 0 .. R-1; R = 1 makes no difference.)
struct MultiplyingRanks {
    /// Requires: misfit(schedule, p) is empty.
    MultiplyingRanks(const MultiplyingSchedule& schedule, int p);

    /// Rank of each virtual rank, ascending.
    std::vector<int> members;
    /// Merge: rank of each remaining rank; number j belongs to the groups j % G of the first and last stage.
    std::vector<int> remaining;
};

}  // namespace echelon
