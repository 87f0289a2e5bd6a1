// SPDX-License-Identifier: Apache-2.0
#include "hier/shapes.hpp"

#include "hier/meaning.hpp"

#include <algorithm>

namespace echelon {
namespace {

using enum Collective;
using enum Recipe::Kind;
using enum Move::Where;
using Root = Move::Root;
constexpr auto all = Move::Who::all, led = Move::Who::leaders, by_lane = Move::Who::lanes;
constexpr auto root_group = Move::Who::root_group, others = Move::Who::other_groups,
               later = Move::Who::later_groups;
constexpr auto whole = Move::Part::whole, lane = Move::Part::lane, group = Move::Part::group,
               vectors = Move::Part::vectors;
constexpr auto any = ShapeRow::Needs::nothing, equal = ShapeRow::Needs::equal_groups,
               runs = ShapeRow::Needs::consecutive_ranks;
using Body = ShapeRow::Body;
constexpr bool inner = true, phases = false;

// Columns: shape, collective, needs, behaviour with one group, body; then the moves: where, collective,
// participants, root, part.
// clang-format off
constexpr std::array rows{
    ShapeRow{leaders, reduce,    any, inner, Body::moves,                       {{{inside, reduce, all, Root::leader}, {across, reduce, led, Root::root_group}, {to_root}}}},
    ShapeRow{leaders, bcast,     any, inner, Body::moves,                       {{{from_root}, {across, bcast, led, Root::root_group}, {inside, bcast, all, Root::leader}}}},
    ShapeRow{leaders, allreduce, any, inner, Body::moves,                       {{{inside, reduce, all, Root::leader}, {across, allreduce, led}, {inside, bcast, all, Root::leader}}}},
    ShapeRow{leaders, barrier,   any, inner, Body::moves,                       {{{inside, reduce, all, Root::leader}, {across, barrier, led}, {inside, bcast, all, Root::leader}}}},

    ShapeRow{leaders, gather,         any,   inner,  Body::gather_over_leaders,         {{{inside, gather, all, Root::leader, group}, {across, gather, led, Root::root_group}, {to_root}}}},
    ShapeRow{leaders, scatter,        any,   inner,  Body::scatter_over_leaders,        {{{from_root}, {across, scatter, led, Root::root_group}, {inside, scatter, all, Root::leader, group}}}},
    ShapeRow{leaders, allgather,      any,   phases, Body::allgather_in_groups,         {{{inside, gather, all, Root::leader, group}, {across, allgather, led}, {inside, bcast, all, Root::leader}}}},
    ShapeRow{leaders, reduce_scatter, any,   phases, Body::reduce_scatter_over_leaders, {{{inside, reduce, all, Root::leader}, {across, reduce_scatter, led}, {inside, scatter, all, Root::leader, group}}}},
    ShapeRow{leaders, alltoall,       equal, phases, Body::alltoall_over_leaders,       {{{inside, gather, all, Root::leader, vectors}, {across, alltoall, led, Root::none, vectors}, {inside, scatter, all, Root::leader, vectors}}}},
    ShapeRow{leaders, scan,           runs,  phases, Body::scan,                        {{{inside, scan}, {across, exscan, led}, {inside, bcast, later, Root::leader}}}},
    ShapeRow{leaders, exscan,         runs,  phases, Body::scan,                        {{{inside, exscan}, {across, exscan, led}, {inside, bcast, later, Root::leader}}}},

    ShapeRow{positions, reduce,    any,   inner, Body::moves,                       {{{inside, allreduce}, {across, reduce, led, Root::root_group}, {to_root}}}},
    ShapeRow{positions, bcast,     any,   inner, Body::moves,                       {{{inside, bcast, root_group, Root::root_position}, {across, bcast, by_lane, Root::root_group}, {to_extras, bcast, others}}}},
    ShapeRow{positions, allreduce, any,   inner, Body::moves,                       {{{inside, allreduce}, {across, allreduce, by_lane}, {to_extras}}}},
    ShapeRow{positions, barrier,   any,   inner, Body::moves,                       {{{inside, barrier}, {across, barrier, by_lane}, {to_extras}}}},
    ShapeRow{positions, allgather, any,   inner, Body::allgather_in_groups,         {{{inside, allgather, all, Root::none, group}, {across, allgather, by_lane}, {to_extras}}}},
    ShapeRow{positions, alltoall,  equal, inner, Body::alltoall_by_positions,       {{{inside, alltoall}, {across, alltoall, by_lane}}}},

    ShapeRow{lanes, reduce,         any,   phases, Body::moves,                       {{{inside, reduce_scatter}, {across, reduce, by_lane, Root::root_group, lane}, {inside, gather, root_group, Root::root_position}}}},
    ShapeRow{lanes, bcast,          any,   phases, Body::moves,                       {{{inside, scatter, root_group, Root::root_position}, {across, bcast, by_lane, Root::root_group, lane}, {inside, allgather}}}},
    ShapeRow{lanes, allreduce,      any,   phases, Body::moves,                       {{{inside, reduce_scatter}, {across, allreduce, by_lane, Root::none, lane}, {inside, allgather}}}},
    ShapeRow{lanes, allgather,      equal, phases, Body::allgather_in_lanes,          {{{across, allgather, by_lane, Root::none, lane}, {inside, allgather}}}},
    ShapeRow{lanes, reduce_scatter, equal, phases, Body::reduce_scatter_in_lanes,     {{{inside, reduce_scatter}, {across, reduce_scatter, by_lane, Root::none, lane}}}}};
// clang-format on

}  // namespace

std::span<const Move> ShapeRow::moves() const {
    const auto end = std::ranges::find(all, nowhere, &Move::where);
    return std::span(all).first(std::size_t(end - all.begin()));
}

const Move& ShapeRow::phase(std::size_t i) const {
    return *std::ranges::find_if(all, [&](const Move& move) { return move.is_phase() && i-- == 0; });
}

std::size_t ShapeRow::phase_count() const {
    return std::size_t(std::ranges::count_if(all, [](const Move& move) { return move.is_phase(); }));
}

std::size_t ShapeRow::outer() const {
    std::size_t i = 0;
    while (phase(i).where != across) ++i;
    return i;
}

const Recipe& ShapeRow::part(const Recipe& recipe, std::size_t i) const {
    if (i == outer()) return recipe.outer();
    return inner_apart(recipe) ? recipe.inner().parts[i < outer() ? 0 : 1] : recipe.inner();
}

std::optional<std::string> ShapeRow::unmet(const GroupSizes& groups, Operation operation) const {
    const bool needs_runs = needs == Needs::consecutive_ranks || (reduces(collective) && operation.in_order);
    if (needs_runs && !groups.consecutive)
        return "its groups are not runs of consecutive ranks, and this call needs rank order";
    if (needs == Needs::equal_groups && groups.smallest < groups.largest)
        return "its groups are not equally large, and " + std::string(name(collective)) +
               " in this shape needs that";
    return std::nullopt;
}

std::optional<std::string> ShapeRow::unmet(const Recipe& recipe) const {
    const std::string what(name(collective));
    if (recipe.segment && !takes_segment())
        return "seg= cuts a vector that all ranks work on, and " +
               (in_blocks(collective) ? "in " + what + " each has a block of its own" : what + " has none");
    if (recipe.inner().kind == Recipe::Kind::pair && !inner_apart(recipe) &&
        !has_halves(phase(outer() == 0 ? 1 : 0).what))
        return what + " has one inner phase, not two";
    return std::nullopt;
}

bool ShapeRow::has(Move::Where where) const {
    return std::ranges::any_of(moves(), [&](const Move& move) { return move.where == where; });
}

bool ShapeRow::has(Move::Part part) const {
    return std::ranges::any_of(moves(), [&](const Move& move) { return move.part == part; });
}

std::span<const ShapeRow> shape_rows() { return rows; }

const ShapeRow* find_shape(Recipe::Kind shape, Collective collective) {
    const auto row = std::ranges::find_if(
        rows, [&](const ShapeRow& one) { return one.shape == shape && one.collective == collective; });
    return row == rows.end() ? nullptr : &*row;
}

const Recipe* serves_alone(const Recipe& recipe, const ShapeRow* row, const GroupSizes& groups) {
    if (groups.largest == 1) return &recipe.outer();
    if (groups.groups == 1 && (row == nullptr || row->one_group_is_inner)) return &recipe.inner();
    return nullptr;
}

Bytes bytes_of(const Move& move, Bytes bytes, GroupSizes sizes) {
    switch (move.part) {
        case whole:
            return bytes;
        case lane:
            return bytes / Bytes(sizes.smallest);
        case group:
            return bytes / Bytes(sizes.groups);
        case vectors:
            return bytes * Bytes(sizes.largest);
    }
    return bytes;
}

std::string to_string(const Move& move) {
    const bool leads_to = pattern(move.what) == Pattern::to_root;
    const auto root = [&](const char* where) { return (leads_to ? " to " : " from ") + std::string(where); };
    switch (move.where) {
        case nowhere:
            return "";
        case to_root:
            return "one message to a root that does not lead";
        case from_root:
            return "one message from a root that does not lead";
        case to_extras:
            return "the result to ranks at positions that not every group has";
        case inside:
        case across:
            break;
    }
    std::string text(name(move.what));
    if (move.part == vectors) text += " of whole vectors";
    if (move.part == lane)
        text += " of each lane between the groups";
    else if (move.where == across)
        text += move.who == led ? " between the leaders" : " between equal positions";
    else
        text += move.who == root_group ? " inside the root's group"
                : move.who == later    ? " inside all groups but the first"
                                       : " inside";
    switch (move.root) {
        case Root::none:
            return text;
        case Root::leader:
            return text + root("the leader");
        case Root::root_group:
            return text + root("the root's group");
        case Root::root_position:
            return text + root("the root");
    }
    return text;
}

}  // namespace echelon
