// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/plan.hpp"
#include "tuner/trials.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace echelon {

/// A decision of rank 0 for a class of calls.
struct CallDecision {
    Choice choice;
    /// The arms of a trial, the choice first; fewer than two: nothing is tried.
    std::vector<Tournament::Arm> arms = {};
};

/// Rank 0's decisions for common sizes, made on communicator creation. Equal on all ranks.
class DecisionTable {
public:
    struct Row {
        PlanKey key;
        /// Upper end of the sizes, in bytes, not included.
        Bytes until;
        CallDecision decision;
    };

    void add(const PlanKey& key, Bytes until, CallDecision decision) {
        rows_.insert_or_assign(place(key), Row{key, until, std::move(decision)});
    }
    /// The row for a call; nullptr if there is none. Rows of rounding operations also serve exact operations.
    const Row* find(PlanKey key) const;
    const auto& rows() const { return rows_; }

    /// Marks sizes for which rank 0 has no decision yet. Bit w of `widths` covers the sizes of w bits: bit 4
    /// covers 8 to 15 bytes.
    void set_undecided(Collective collective, std::uint64_t widths) { undecided_[collective] = widths; }
    bool is_undecided(const PlanKey& key) const;

private:
    /// Collective, operation and size, in this order.
    using Place = std::tuple<Collective, bool, bool, Bytes>;
    static Place place(const PlanKey& key);
    const Row* nearest(const PlanKey& key) const;

    std::map<Place, Row> rows_;
    std::map<Collective, std::uint64_t> undecided_;
};

}  // namespace echelon
