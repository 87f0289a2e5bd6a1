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

class Team;
struct Args;
struct Phase;

/// One move of a shape: a collective inside the groups or across them, or messages that join what is uneven.
struct Move {
    enum class Where : std::uint8_t {
        nowhere,    ///< a row's moves have ended
        inside,     ///< `what`, in each group
        across,     ///< `what`, between ranks at the same position of their groups
        to_root,    ///< one message, from its group's leader to a root that does not lead
        from_root,  ///< the same back
        to_extras   ///< the result, to ranks at positions that not every group has
    };
    enum class Who : std::uint8_t {
        all,
        leaders,     ///< ranks at one position: the root's where every group has it, else the first; the last
                     ///< for scans
        lanes,       ///< the ranks at positions that every group has; each position is a lane of its own
        root_group,  ///< the group of the root
        other_groups,
        later_groups  ///< all but the first
    };
    enum class Root : std::uint8_t { none, leader, root_group, root_position };
    /// What it works on.
    enum class Part : std::uint8_t {
        whole,   ///< the vector
        lane,    ///< what falls to one lane: the vector divided by the ranks of the smallest group
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

/// What a partition is like, as far as shapes and their prices ask.
struct GroupSizes {
    int groups, smallest, largest;
    bool consecutive;

    static GroupSizes of(const Partition& partition) {
        return {partition.group_count(), partition.smallest(), partition.largest(), partition.contiguous()};
    }
};

/// What a shape does for one collective: all that resolving, running, pricing, searching and the documents
/// know about it. A phase is a move that is a collective; the recipe says by which algorithm.
struct ShapeRow {
    enum class Needs : std::uint8_t { nothing, equal_groups, consecutive_ranks };
    static constexpr std::size_t most_moves = 3;

    Recipe::Kind shape;
    Collective collective;
    Needs needs;
    /// One group leaves the inner algorithm alone to serve; else the phases stay what they are.
    bool one_group_is_inner;
    /// Runs the phases in this order, with what is copied between them.
    void (*body)(const Phase&, Team&, const Args&);
    std::array<Move, most_moves> all;

    std::span<const Move> moves() const;
    /// The move of phase i.
    const Move& phase(std::size_t i) const;
    std::size_t phase_count() const;
    /// Which phase runs across. There is one.
    std::size_t outer() const;
    /// Which part of such a recipe phase i runs.
    const Recipe& part(const Recipe& recipe, std::size_t i) const;
    /// There are two inner phases, and the recipe has an algorithm for each.
    bool inner_apart(const Recipe& recipe) const {
        return phase_count() == 3 && recipe.inner().kind == Recipe::Kind::pair;
    }
    /// Why the shape cannot serve such calls over these groups, in words; nothing: it can. Resolving, pricing and searching
    /// ask this alone.
    std::optional<std::string> unmet(const GroupSizes& groups, Operation operation) const;
    /// Why it cannot be as this recipe has it: cut into segments, with two inner algorithms.
    std::optional<std::string> unmet(const Recipe& recipe) const;
    /// Whether some move is of this kind.
    bool has(Move::Where where) const;
    bool has(Move::Part part) const;
    /// Whether `seg=` may cut it: there is a vector, and all ranks work on the whole of it.
    bool takes_segment() const { return !in_blocks(collective) && collective != Collective::barrier; }
};

/// Every shape with every collective that it serves.
std::span<const ShapeRow> shape_rows();
/// Nullptr if the shape does not serve the collective.
const ShapeRow* find_shape(Recipe::Kind shape, Collective collective);
/// The part of a recipe that serves alone, as where there is one group, or one rank in each; nullptr: its shape does,
/// which is in this row, if it serves the collective at all.
const Recipe* serves_alone(const Recipe& recipe, const ShapeRow* row, const GroupSizes& groups);
struct ShapeName {
    Recipe::Kind kind;
    std::string_view name;
};
inline constexpr std::array<ShapeName, 3> shape_names{{{Recipe::Kind::leaders, "leaders"},
                                                       {Recipe::Kind::positions, "positions"},
                                                       {Recipe::Kind::lanes, "lanes"}}};
std::string_view name(Recipe::Kind shape);

/// How long the vector is that a move of a call with `bytes` works on. An estimate's view of uneven groups:
/// all groups have as many blocks.
Bytes bytes_of(const Move& move, Bytes bytes, GroupSizes sizes);

/// "reduce inside to the leader".
std::string to_string(const Move& move);

}  // namespace echelon
