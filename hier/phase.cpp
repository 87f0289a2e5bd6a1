// SPDX-License-Identifier: Apache-2.0
#include "hier/phase.hpp"

#include "core/error.hpp"
#include "core/words.hpp"
#include "flat/multiplying_choice.hpp"
#include "hier/meaning.hpp"
#include "hier/needs.hpp"
#include "hier/shapes.hpp"

#include <algorithm>

namespace echelon {
namespace {

std::string rows_of(Collective collective) {
    return joined(catalog(collective), ", ", [](const Algorithm& row) { return row.name; });
}

/// True if a recipe may serve some numbers of ranks and not others.
bool depends_on_size(const Recipe& recipe) {
    return recipe.is_shape() || !recipe.schedule.empty() ||
           std::any_of(recipe.parts.begin(), recipe.parts.end(), depends_on_size);
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
        const Meaning meaning = meaning_of(recipe.name, collective);
        if (meaning.in_halves()) return pair(recipe, recipe, recipe, collective, placement, rank);
        const Algorithm* const row = meaning.first;
        if (row == nullptr)
            fail(recipe, std::string(name(collective)) + " has no algorithm of this name; it has " +
                             rows_of(collective));
        if (reduces(collective) && operation_.in_order && !row->keeps_order)
            fail(recipe, "combines operands out of rank order, and this call needs rank order");
        if (reduces(collective) && !operation_.exact && row->exact_operations_only)
            fail(
                recipe,
                "brackets operands differently on different ranks, which this operation's rounding would show");
        if (row->takes_schedule && !recipe.schedule.empty())
            (void)multiplying_schedule(recipe.schedule, placement.size());  // throws if it does not fit
        return {.collective = collective,
                .kind = Phase::Kind::flat,
                .algorithm = row,
                .radix = row->takes_radix ? recipe.radix.value_or(row->default_radix) : row->default_radix,
                .schedule = row->takes_schedule ? recipe.schedule : "",
                .segment = row->takes_segment ? recipe.segment.value_or(row->default_segment) : 0};
    }

    Phase pair(const Recipe& whole, const Recipe& first, const Recipe& second, Collective collective,
               const Placement& placement, int rank) const {
        if (!has_halves(collective))
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
        const auto groups = GroupSizes::of(partition);
        const ShapeRow* const row = find_shape(recipe.kind, collective);
        if (const Recipe* const alone = serves_alone(recipe, row, groups))
            return resolve(*alone, collective, placement, rank);
        if (row == nullptr) fail(recipe, "this shape does not serve " + std::string(name(collective)));
        if (const auto why = row->unmet(groups, operation_)) fail(recipe, *why);
        if (const auto why = row->unmet(recipe)) fail(recipe, *why);

        Phase made{.collective = collective,
                   .kind = Phase::Kind::shape,
                   .segment = recipe.segment.value_or(0),
                   .row = row,
                   .groups = recipe.groups};
        for (std::size_t i = 0; i < row->phase_count(); ++i) {
            const Recipe& part = row->part(recipe, i);
            const Collective what = row->phase(i).what;
            made.parts.push_back(i == row->outer() ? across(part, what, partition, placement, rank)
                                                   : inside(part, what, partition, placement, rank));
        }
        // All ranks refuse if one of them cannot serve.
        if (made.segment > 0 || recipe.inner().has_shape() || recipe.outer().has_shape()) {
            const NeededDivision needs = needs_of(recipe, collective, placement).divisions.front();
            if (made.segment > 0 && (needs.inside.native || needs.across.native))
                fail(recipe, "'native' cannot take part where segments are pipelined (seg=)");
            if (made.segment > 0 && (needs.inside.windows_beyond({}) || needs.across.windows_beyond({})))
                fail(recipe, "'shm' cannot take part where segments are pipelined (seg=)");
            if (needs.inside.pipelined || needs.across.pipelined)
                fail(recipe, "only the outermost shape can pipeline segments (seg=)");
        }
        return made;
    }

    /// Resolves every group, which gives all ranks the same reason; returns the phase of the own group.
    Phase inside(const Recipe& recipe, Collective collective, const Partition& partition,
                 const Placement& placement, int rank) const {
        const int own = partition.group_of(rank);
        if (depends_on_size(recipe))
            for (int group = 0; group < partition.group_count(); ++group)
                (void)resolve(recipe, collective, placement.of(partition.members(group)), 0);
        return resolve(recipe, collective, placement.of(partition.members(own)), partition.position_of(rank));
    }

    Phase across(const Recipe& recipe, Collective collective, const Partition& partition,
                 const Placement& placement, int rank) const {
        if (depends_on_size(recipe))
            for (int position = 0; position < partition.smallest(); ++position)
                (void)resolve(recipe, collective, placement.of(partition.positions(position)), 0);
        const int own = partition.position_of(rank);
        const bool takes_part = own < partition.smallest();
        return resolve(recipe, collective, placement.of(partition.positions(takes_part ? own : 0)),
                       takes_part ? partition.group_of(rank) : 0);
    }

    [[noreturn]] static void fail(const Recipe& recipe, const std::string& why) {
        throw Error(to_string(recipe) + ": " + why);
    }

    Operation operation_;
};

}  // namespace

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

std::string title(const Phase& phase) {
    const std::string head = std::string(name(phase.collective)) + ' ';
    switch (phase.kind) {
        case Phase::Kind::native:
            return head + "native";
        case Phase::Kind::flat:
            return head + std::string(phase.algorithm->name);
        case Phase::Kind::sequence:
            return head + "one after the other";
        case Phase::Kind::shape:
            return head + std::string(name(phase.row->shape));
    }
    return head;
}

std::string recipe_text(const Phase& phase) {
    if (phase.kind == Phase::Kind::native) return "native";
    if (phase.kind == Phase::Kind::flat) {
        Recipe flat{.kind = Recipe::Kind::flat,
                    .name = std::string(phase.algorithm->name),
                    .schedule = phase.schedule};
        if (phase.algorithm->takes_segment && phase.segment > 0) flat.segment = phase.segment;
        if (phase.algorithm->takes_radix) flat.radix = phase.radix;
        return to_string(flat);
    }
    const std::string parts = joined(phase.parts, ", ", [](const Phase& part) { return to_string(part); });
    if (!phase.groups) return '[' + parts + ']';
    return std::string(name(phase.row->shape)) + '(' + to_string(*phase.groups) +
           (phase.segment > 0 ? ", seg=" + format_bytes(phase.segment) : "") + "): " + parts;
}

std::string to_string(const Phase& phase) {
    const std::string head =
        phase.kind == Phase::Kind::sequence ? "" : std::string(name(phase.collective)) + ' ';
    return head + recipe_text(phase);
}

}  // namespace echelon
