// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan.hpp"
#include "cache/plan_key.hpp"
#include "hier/byte_range.hpp"
#include "tuner/call_class.hpp"
#include "tuner/course.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace echelon {

/// A row of the table of decisions: the recipe for the calls of a collective in a range of sizes.
struct Row {
    /// A call of the class for which the row holds, or the smallest size of a range.
    PlanKey key;
    /// Upper end of the sizes in bytes, not included; 0: the class of `key`.
    Bytes until = 0;
    /// Number of native calls that come before the decision; 0: the row has one.
    long later = 0;
    Choice choice = {};
    /// The recipes of a trial, by number. The agenda says how they are compared.
    std::vector<Recipe> arms = {};
    Agenda agenda = {};

    /// True if the recipe is the winner of a trial on this communicator.
    bool found() const { return choice.source == Source::trial; }
};

/// A call of a collective with one byte per element.
PlanKey call_of(Collective collective, Bytes bytes = 0);

/// The binary form of rows (core/wire.hpp), recipes as text: the one format in which ranks tell decisions.
std::string to_bytes(const std::vector<Row>& rows);
/// Error: the text is not of to_bytes().
std::vector<Row> rows_of(std::string_view bytes);

/// A recipe that settings, info keys or hints ask for.
struct Requested {
    Collective collective;
    ByteRange sizes;
    Choice choice;
    /// A call that the recipe cannot serve is an error.
    bool strict = false;
    /// Calls whose result no order changes are not meant.
    bool inexact_only = false;
};

/// Decisions for ranges of sizes, told on communicator creation. Communicators whose ranks sit alike share a
/// table.
using ToldTable = std::vector<Row>;

/// The table of decisions of one communicator. The look-up returns the strongest source: requests in the
/// order of their strength, then decisions for classes, then the table for ranges of sizes. Equal on all
/// ranks.
class DecisionTable {
public:
    /// `classes` must outlive this.
    explicit DecisionTable(const CallClasses& classes) : classes_(classes) {}

    /// The strongest request comes first.
    void set_requested(std::vector<Requested> rows) { requested_ = std::move(rows); }
    const std::vector<Requested>& requested() const { return requested_; }
    /// Ranks that know only their own blocks have no common size: a request for all sizes counts, if its
    /// recipe can serve them.
    const Requested* find_requested(const PlanKey& key) const;

    void put(Row row) { by_class_.insert_or_assign(classes_.of(row.key), std::move(row)); }
    void set_told(std::shared_ptr<const ToldTable> rows) { told_ = std::move(rows); }
    bool has_told() const { return told_ != nullptr; }
    /// The decision for a call, without requests; nullptr if there is none.
    const Row* find(const PlanKey& key) const;
    const std::map<CallClass, Row>& by_class() const { return by_class_; }

    /// Drops the decisions for classes, which may be made anew; with `findings` also the winners of trials
    /// and the told table, which belong to a profile. Requests stay.
    void clear(bool findings);

private:
    const CallClasses& classes_;
    std::vector<Requested> requested_;
    std::map<CallClass, Row> by_class_;
    std::shared_ptr<const ToldTable> told_;
};

/// As few rows as possible: consecutive sizes of one collective and kind of operation with one decision, each
/// at most twice the size before it, become one. Native decisions are left out: sizes without a row are
/// native until they are decided. Requires: kinds apart, ascending sizes of each.
std::vector<Row> merged(const std::vector<Row>& rows, const CallClasses& classes);

}  // namespace echelon
