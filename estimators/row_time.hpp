// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/machine.hpp"
#include "estimators/terrain.hpp"
#include "flat/algorithm.hpp"
#include "flat/multiplying_schedule.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace echelon {

/// Prices what algorithms do on a terrain of one machine. Keeps what costs time to find out (schedules,
/// shares of the network cards), so that asking again costs well under a microsecond. Not for several
/// threads.
class RowTimes {
public:
    explicit RowTimes(const Machine& machine) : machine_(machine) {}

    /// Predicted time of a row of the catalog: its messages round by round, each at the price inside or
    /// between nodes, several ranks of a node sharing its card; the combining as its cost formula says.
    /// `problem.p` is the terrain's.
    Seconds operator()(const Algorithm& row, const Problem& problem, const Terrain& terrain);

    /// The row's cost; where its formula is slow, from what is remembered.
    Cost cost(const Algorithm& row, const Problem& problem);
    /// The same of one of several messages that a rank sends at once.
    FanMessage one_of_several(double bytes, double leaving) const;
    /// One message between two ranks of the terrain, `leaving` of which leave the busiest node at once.
    Seconds message(double bytes, double leaving) const;
    const Machine& machine() const { return machine_; }

private:
    Seconds messages(const Algorithm& row, const Problem& problem, const Cost& cost, const Terrain& terrain);
    /// Of rows whose ranks send or receive several messages at once, where the machine says what these do to
    /// each other.
    std::optional<Seconds> overlapping(const Algorithm& row, const Problem& problem, const Cost& cost,
                                       const Terrain& terrain);
    /// Messages that leave the busiest node at once while segments go through a binary tree.
    static double tree_flow(const Algorithm& row, const Terrain& terrain);
    Seconds tree(const Problem& problem, int radix, bool up, const Terrain& terrain) const;
    const MultiplyingSchedule& schedule(const Problem& problem);

    const Machine& machine_;
    std::map<std::pair<const Algorithm*, int>, Cost> of_a_byte_;
    std::map<std::pair<int, std::string>, MultiplyingSchedule> schedules_;
};

/// The cost formula takes longer than a decision may.
bool has_slow_formula(const Algorithm& row);

/// The pattern of a row's messages, as far as prices ask.
enum class Pattern {
    neighbours,
    pairs,
    doubling,
    circulant,
    star,
    chain,
    binary,
    binomial,
    knomial,
    trees,
    halves,
    scatter,
    unknown
};
Pattern pattern_named(std::string_view algorithm);
/// The same of a row of the catalog, found faster.
Pattern pattern_of(const Algorithm& row);

}  // namespace echelon
