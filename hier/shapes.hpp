// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "groups/partition.hpp"
#include "hier/operation.hpp"
#include "hier/recipe.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace echelon {

/// One move of a shape: a collective inside the groups or across them, or messages that even out uneven
/// groups.
struct Move {
    enum class Where : std::uint8_t {
        nowhere,    ///< the row has no more moves
        inside,     ///< `what`, in each group
        across,     ///< `what`, between ranks at the same position of their groups
        to_root,    ///< one message, from the group's leader to a root that does not lead
        from_root,  ///< one message back, from that root to its leader
        to_extras   ///< the result, to ranks at positions that not every group has
    };
    enum class Who : std::uint8_t {
        all,
        leaders,     ///< ranks at one position: the root's if every group has it, else the first; the last
                     ///< for scans
        lanes,       ///< the ranks at positions that every group has; each position is a lane of its own
        root_group,  ///< the group of the root
        other_groups,
        later_groups  ///< all but the first
    };
    enum class Root : std::uint8_t { none, leader, root_group, root_position };
    /// The data of a move.
    enum class Part : std::uint8_t {
        whole,   ///< the vector
        lane,    ///< the share of one lane: the vector divided by the ranks of the smallest group
        group,   ///< the blocks of one group
        vectors  ///< the vectors of a whole group
    };

    Where where = Where::nowhere;
    Collective what = Collective::barrier;
    Who who = Who::all;
    Root root = Root::none;
    Part part = Part::whole;

    bool is_phase() const { return where == Where::inside || where == Where::across; }
};

/// Properties of a partition that shapes and their prices need.
struct GroupSizes {
    int groups, smallest, largest;
    bool consecutive;

    static GroupSizes of(const Partition& partition) {
        return {partition.group_count(), partition.smallest(), partition.largest(), partition.contiguous()};
    }
};

/// A shape for one collective. Resolving, running, pricing, searching and the documents read only this row. A
/// phase is a move that is a collective; the recipe names its algorithm.
struct ShapeRow {
    enum class Needs : std::uint8_t { nothing, equal_groups, consecutive_ranks };
    /// The function of hier/perform.hpp that runs the shape.
    enum class Body : std::uint8_t {
        moves,
        scan,
        gather_over_leaders,
        scatter_over_leaders,
        allgather_in_groups,
        reduce_scatter_over_leaders,
        allgather_in_lanes,
        reduce_scatter_in_lanes,
        alltoall_by_positions,
        alltoall_over_leaders
    };
    static constexpr std::size_t most_moves = 3;

    Recipe::Kind shape;
    Collective collective;
    Needs needs;
    /// True if with one group the inner algorithm serves alone; otherwise the phases stay.
    bool one_group_is_inner;
    /// Runs the phases in their order, with the copies between them.
    Body body;
    std::array<Move, most_moves> all;

    std::span<const Move> moves() const;
    /// The move of phase i.
    const Move& phase(std::size_t i) const;
    std::size_t phase_count() const;
    /// Index of the phase that runs across; there is exactly one.
    std::size_t outer() const;
    /// The part of a recipe that phase i runs.
    const Recipe& part(const Recipe& recipe, std::size_t i) const;
    /// True if there are two inner phases and the recipe has an algorithm for each.
    bool inner_apart(const Recipe& recipe) const {
        return phase_count() == 3 && recipe.inner().kind == Recipe::Kind::pair;
    }
    /// The reason why the shape cannot serve calls of this operation over these groups; empty: it can.
    /// Resolving, pricing and searching ask only this function.
    std::optional<std::string> unmet(const GroupSizes& groups, Operation operation) const;
    /// The reason why the shape cannot run this recipe (segments, two inner algorithms); empty: it can.
    std::optional<std::string> unmet(const Recipe& recipe) const;
    /// True if a move is of this kind.
    bool has(Move::Where where) const;
    bool has(Move::Part part) const;
    /// True if `seg=` may cut the vector: all ranks work on the whole of one.
    bool takes_segment() const { return !in_blocks(collective) && collective != Collective::barrier; }
};

/// All shapes with all collectives that they serve.
std::span<const ShapeRow> shape_rows();
/// Returns `nullptr` if the shape does not serve the collective.
const ShapeRow* find_shape(Recipe::Kind shape, Collective collective);
/// The part of a recipe that serves alone: the outer one if each group has one rank, the inner one if there
/// is one group and the row permits it. `nullptr` if the shape itself serves. `row` may be null: the shape
/// does not serve the collective.
const Recipe* serves_alone(const Recipe& recipe, const ShapeRow* row, const GroupSizes& groups);

/// Bytes of the vector that a move works on, in a call with `bytes`. An estimate for uneven groups: all
/// groups count as having equally many blocks.
Bytes bytes_of(const Move& move, Bytes bytes, GroupSizes sizes);

/// "reduce inside to the leader".
std::string to_string(const Move& move);

}  // namespace echelon
