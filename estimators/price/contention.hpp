// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/network/machine.hpp"
#include "groups/groups.hpp"
#include "hier/shapes.hpp"

#include <array>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace echelon {

/// Sets of ranks that run the same phase at the same time: all groups of a partition, or all lanes. Divisions
/// are cached: one contention serves all decisions on a communicator. Not thread-safe.
class Contention {
public:
    explicit Contention(const Placement& placement);

    /// Ranks of the representative set, the one expected to take longest: it is on the most sites, then on
    /// several switches, then on several nodes, then has the most ranks.
    int p() const { return p_; }
    /// Steps from rank r to r + 1, r < p - 1, that leave a node; the maximum over the sets.
    int crossings() const { return crossings_; }
    /// Nodes with ranks of any set.
    int nodes() const { return nodes_; }
    /// Sites, or switches, of the representative set.
    int touched(Level level) const { return touched_[std::size_t(level)]; }
    /// Number of nodes of the representative set, and the node of each of its ranks.
    int nodes_touched() const { return nodes_touched_; }
    std::vector<int> nodes_of_one() const;
    /// Number of sets with ranks in the node that has the most of them.
    int sharing() const { return sharing_; }
    /// Number of ranks of the representative set that own a block, in collectives with blocks.
    int owners() const { return owners_; }

    struct Division;
    /// Returns nullptr if the groups do not fit these ranks.
    const Division* divide(const Groups& groups) const;

private:
    /// The ranks of the sets, one set after another.
    struct Sets {
        std::vector<int> ranks = {}, starts = {0};

        std::size_t size() const { return starts.size() - 1; }
        std::span<const int> operator[](std::size_t set) const {
            return std::span(ranks).subspan(std::size_t(starts[set]),
                                            std::size_t(starts[set + 1] - starts[set]));
        }
        void close() { starts.push_back(int(ranks.size())); }
    };
    /// `owners`: the number of ranks that own a block, if not all do.
    Contention(std::shared_ptr<const Placement> placement, Sets sets, int owners = 0);
    int node(int rank) const { return placement_->node(rank); }

    std::shared_ptr<const Placement> placement_;
    Sets sets_;
    int p_ = 0, crossings_ = 0, nodes_ = 1, nodes_touched_ = 0, sharing_ = 1, owners_ = 0;
    std::array<int, all_levels.size()> touched_{1, 1};
    std::size_t one_ = 0;
    struct Known;
    mutable std::deque<Known> divisions_;
};

/// The contention's sets divided into groups.
struct Contention::Division {
    Contention inside;
    /// The same with blocks only for the positions that every group has.
    Contention inside_by_lanes;
    /// The ranks at equal positions; one set per position.
    Contention across;
    /// The ranks at the first position alone.
    Contention leaders;
    int group_count, smallest, largest;
    bool contiguous;

    /// The sets of ranks that a phase runs on.
    const Contention& ground(const Move& move) const {
        if (move.where != Move::Where::inside) return move.who == Move::Who::leaders ? leaders : across;
        const bool by_lanes = in_blocks(move.what) && move.part == Move::Part::whole && smallest < largest;
        return by_lanes ? inside_by_lanes : inside;
    }
    GroupSizes sizes() const { return {group_count, smallest, largest, contiguous}; }
};

struct Contention::Known {
    Groups groups;
    std::unique_ptr<Division> division;
};

/// The machine with the nodes, switches and sites of the placement, and without levels that the placement
/// does not know.
Machine seated(Machine machine, const Placement& placement);

}  // namespace echelon
