// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/contests.hpp"
#include "cache/plan.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace echelon {

/// What one rank has told all to run for such calls, and what could be better.
struct ToldChoice {
    Choice choice;
    /// The choice first; fewer than two: nothing is tried.
    std::vector<Tournament::Arm> arms = {};
};

/// What rank 0 tells of usual calls when a communicator is made. The same on all ranks.
class ToldTable {
public:
    struct Row {
        PlanKey key;
        /// For calls below that size.
        Bytes until;
        ToldChoice told;
    };

    void tell(const PlanKey& key, Bytes until, ToldChoice told) {
        rows_.insert_or_assign(place(key), Row{key, until, std::move(told)});
    }
    /// What may serve operations that round may serve exact ones as well. Nullptr: nothing was told.
    const Row* find(PlanKey key) const;
    const auto& rows() const { return rows_; }

    /// Rank 0 has no answer yet for such calls whose size in bytes has so many bits as `widths` has set: bit 4 is 8 to 15 bytes.
    void set_without_answer(Collective collective, std::uint64_t widths) {
        without_answer_[collective] = widths;
    }
    bool is_without_answer(const PlanKey& key) const;

private:
    /// Of collective, operation and size, in this order.
    using Place = std::tuple<Collective, bool, bool, Bytes>;
    static Place place(const PlanKey& key);
    const Row* near(const PlanKey& key) const;

    std::map<Place, Row> rows_;
    std::map<Collective, std::uint64_t> without_answer_;
};

}  // namespace echelon
