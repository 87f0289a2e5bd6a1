// SPDX-License-Identifier: Apache-2.0
#include "hier/phase.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace echelon {
namespace {

std::string rows_of(Collective collective) {
    std::string names;
    for (const auto& row : catalog(collective)) names.append(names.empty() ? "" : ", ").append(row.name);
    return names;
}

bool has_shape(const Recipe& recipe) {
    return recipe.is_shape() || std::any_of(recipe.parts.begin(), recipe.parts.end(), has_shape);
}

class Resolver {
public:
    Resolver(Operation operation) : operation_(operation) {}

    Phase resolve(const Recipe& recipe, Collective collective, const Placement& placement, int rank) const {
        switch (recipe.kind) {
            case Recipe::Kind::native:
                return {.collective = collective};
            case Recipe::Kind::flat:
                return flat(recipe, collective, placement, rank);
            case Recipe::Kind::pair:
                return pair(recipe, recipe.parts[0], recipe.parts[1], collective, placement, rank);
            default:
                return shape(recipe, collective, placement, rank);
        }
    }

private:
    Phase flat(const Recipe& recipe, Collective collective, const Placement& placement, int rank) const {
        const Algorithm* row = find_algorithm(collective, recipe.name);
        const bool halves = find_algorithm(Collective::reduce, recipe.name) != nullptr &&
                            find_algorithm(Collective::bcast, recipe.name) != nullptr;
        if (row == nullptr && (collective == Collective::allreduce || collective == Collective::barrier) &&
            halves)
            return pair(recipe, recipe, recipe, collective, placement, rank);
        if (row == nullptr && (collective == Collective::gather || collective == Collective::scatter))
            row = find_algorithm(collective, "binomial");
        if (row == nullptr)
            fail(recipe, std::string(name(collective)) + " has no algorithm of this name; it has " +
                             rows_of(collective));
        if (reduces(collective) && operation_.in_order && !row->keeps_order)
            fail(recipe, "combines operands out of rank order, and this call needs rank order");
        if (reduces(collective) && !operation_.exact && row->exact_operations_only)
            fail(
                recipe,
                "brackets operands differently on different ranks, which this operation's rounding would show");
        return {.collective = collective,
                .kind = Phase::Kind::flat,
                .algorithm = row,
                .radix = row->takes_radix ? recipe.radix.value_or(row->default_radix) : row->default_radix,
                .schedule = row->takes_schedule ? recipe.schedule : "",
                .segment = row->takes_segment ? recipe.segment.value_or(row->default_segment) : 0};
    }

    Phase pair(const Recipe& whole, const Recipe& first, const Recipe& second, Collective collective,
               const Placement& placement, int rank) const {
        if (collective != Collective::allreduce && collective != Collective::barrier)
            fail(
                whole,
                std::string(name(collective)) +
                    " has no two halves; 'a+b' is for allreduce (reduce a, then bcast b) and for the two inner phases of a shape");
        return {.collective = collective,
                .kind = Phase::Kind::sequence,
                .parts = {resolve(first, Collective::reduce, placement, rank),
                          resolve(second, Collective::bcast, placement, rank)}};
    }

    Phase shape(const Recipe& recipe, Collective collective, const Placement& placement, int rank) const {
        const int p = placement.size();
        const Partition partition = echelon::resolve(*recipe.groups, p, placement);
        if (partition.largest() == 1) return resolve(recipe.outer(), collective, placement, rank);
        if (partition.group_count() == 1 && inner_serves_alone(recipe.kind, collective))
            return resolve(recipe.inner(), collective, placement, rank);
        if (needs_consecutive_ranks(collective, operation_) && !partition.contiguous())
            fail(recipe, "its groups are not runs of consecutive ranks, and this call needs rank order");

        const std::vector<Collective> phases = phases_of(recipe.kind, collective);
        if (phases.empty()) fail(recipe, "this shape does not serve " + std::string(name(collective)));
        if (in_blocks(collective) && recipe.segment)
            fail(recipe, "seg= cuts a vector that all ranks work on, and in " +
                             std::string(name(collective)) + " each has a block of its own");
        if (needs_equal_groups(recipe.kind, collective) && !partition.uniform())
            fail(recipe, "its groups are not equally large, and " + std::string(name(collective)) +
                             " in this shape needs that");
        const int outer_at = outer_phase(recipe.kind, collective);
        const bool two_inner = phases.size() == 3;
        if (recipe.inner().kind == Recipe::Kind::pair && recipe.kind == Recipe::Kind::leaders && !two_inner)
            fail(recipe, std::string(name(collective)) + " has one inner phase, not two");

        Phase made{.collective = collective,
                   .kind = kind_of(recipe),
                   .segment = recipe.segment.value_or(0),
                   .groups = recipe.groups};
        const bool apart = two_inner && recipe.inner().kind == Recipe::Kind::pair;
        for (int i = 0; i < int(phases.size()); ++i) {
            const Recipe& part = i == outer_at ? recipe.outer()
                                 : apart       ? recipe.inner().parts[i == 0 ? 0 : 1]
                                               : recipe.inner();
            made.parts.push_back(i == outer_at
                                     ? across(part, phases[std::size_t(i)], partition, placement, rank)
                                     : inside(part, phases[std::size_t(i)], partition, placement, rank));
        }
        if (made.segment > 0)
            for (const Phase& part : made.parts) {
                if (part.uses_native())
                    fail(recipe, "'native' cannot take part where segments are pipelined (seg=)");
                if (part.pipelined()) fail(recipe, "only the outermost shape can pipeline segments (seg=)");
            }
        else if (std::any_of(made.parts.begin(), made.parts.end(),
                             [](const Phase& part) { return part.pipelined(); }))
            fail(recipe, "only the outermost shape can pipeline segments (seg=)");
        return made;
    }

    /// Resolved for every group, so that all ranks find the same reason; kept for the own one.
    Phase inside(const Recipe& recipe, Collective collective, const Partition& partition,
                 const Placement& placement, int rank) const {
        const int own = partition.group_of(rank);
        if (has_shape(recipe))
            for (int group = 0; group < partition.group_count(); ++group)
                (void)resolve(recipe, collective, placement.of(partition.members(group)), 0);
        return resolve(recipe, collective, placement.of(partition.members(own)), partition.position_of(rank));
    }

    Phase across(const Recipe& recipe, Collective collective, const Partition& partition,
                 const Placement& placement, int rank) const {
        if (has_shape(recipe))
            for (int position = 0; position < partition.smallest(); ++position)
                (void)resolve(recipe, collective, placement.of(partition.positions(position)), 0);
        const int own = partition.position_of(rank);
        const bool takes_part = own < partition.smallest();
        return resolve(recipe, collective, placement.of(partition.positions(takes_part ? own : 0)),
                       takes_part ? partition.group_of(rank) : 0);
    }

    static Phase::Kind kind_of(const Recipe& recipe) {
        return recipe.kind == Recipe::Kind::leaders     ? Phase::Kind::leaders
               : recipe.kind == Recipe::Kind::positions ? Phase::Kind::positions
                                                        : Phase::Kind::lanes;
    }

    [[noreturn]] static void fail(const Recipe& recipe, const std::string& why) {
        throw Error(to_string(recipe) + ": " + why);
    }

    Operation operation_;
};

}  // namespace

std::vector<Collective> phases_of(Recipe::Kind shape, Collective collective) {
    using enum Collective;
    using Phases = std::vector<Collective>;
    switch (shape) {
        case Recipe::Kind::leaders:
            if (collective == reduce || collective == bcast || collective == gather || collective == scatter)
                return {collective, collective};
            if (collective == allreduce || collective == barrier) return {reduce, collective, bcast};
            if (collective == allgather) return {gather, allgather, bcast};
            if (collective == alltoall) return {gather, alltoall, scatter};
            if (is_scan(collective)) return {collective, exscan, bcast};
            return collective == reduce_scatter ? Phases{reduce, reduce_scatter, scatter} : Phases{};
        case Recipe::Kind::positions:
            if (collective == reduce) return {allreduce, reduce};
            if (collective == bcast || collective == allreduce || collective == barrier ||
                collective == allgather || collective == alltoall)
                return {collective, collective};
            return {};
        case Recipe::Kind::lanes:
            if (collective == reduce) return {reduce_scatter, reduce, gather};
            if (collective == bcast) return {scatter, bcast, allgather};
            if (collective == allreduce) return {reduce_scatter, allreduce, allgather};
            if (collective == reduce_scatter || collective == allgather) return {collective, collective};
            return {};
        default:
            return {};
    }
}

bool inner_serves_alone(Recipe::Kind shape, Collective collective) {
    using enum Collective;
    const bool other_phases =
        shape == Recipe::Kind::leaders && (collective == allgather || collective == reduce_scatter ||
                                           collective == alltoall || is_scan(collective));
    return shape != Recipe::Kind::lanes && !other_phases;
}

bool needs_equal_groups(Recipe::Kind shape, Collective collective) {
    return collective == Collective::alltoall || (shape == Recipe::Kind::lanes && in_blocks(collective));
}

int outer_phase(Recipe::Kind shape, Collective collective) {
    using enum Collective;
    const bool from_root = shape == Recipe::Kind::leaders && (collective == bcast || collective == scatter);
    return from_root || (shape == Recipe::Kind::lanes && collective == allgather) ? 0 : 1;
}

bool Phase::uses_native() const {
    return kind == Kind::native ||
           std::any_of(parts.begin(), parts.end(), [](const Phase& part) { return part.uses_native(); });
}

bool Phase::pipelined() const {
    return (groups && segment > 0) ||
           std::any_of(parts.begin(), parts.end(), [](const Phase& part) { return part.pipelined(); });
}

Phase resolve(const Recipe& recipe, Collective collective, const Placement& placement, int rank,
              Operation operation) {
    return Resolver(operation).resolve(recipe, collective, placement, rank);
}

std::string to_string(const Phase& phase) {
    const std::string head = std::string(name(phase.collective)) + ' ';
    if (phase.kind == Phase::Kind::native) return head + "native";
    if (phase.kind == Phase::Kind::flat) {
        Recipe flat{.kind = Recipe::Kind::flat,
                    .name = std::string(phase.algorithm->name),
                    .schedule = phase.schedule};
        if (phase.algorithm->takes_segment && phase.segment > 0) flat.segment = phase.segment;
        if (phase.algorithm->takes_radix) flat.radix = phase.radix;
        return head + to_string(flat);
    }
    std::string text;
    if (phase.groups) {
        const char* shape = phase.kind == Phase::Kind::leaders     ? "leaders"
                            : phase.kind == Phase::Kind::positions ? "positions"
                                                                   : "lanes";
        text = head + shape + '(' + to_string(*phase.groups) +
               (phase.segment > 0 ? ", seg=" + format_bytes(phase.segment) : "") + "): ";
    }
    for (std::size_t i = 0; i < phase.parts.size(); ++i)
        text += (i == 0 ? "" : ", ") + to_string(phase.parts[i]);
    return phase.groups ? text : '[' + text + ']';
}

}  // namespace echelon
