// SPDX-License-Identifier: Apache-2.0
#include "hier/needs.hpp"

#include "hier/meaning.hpp"
#include "hier/shapes.hpp"

#include <algorithm>

namespace echelon {
namespace {

auto find(const Needs& needs, const Groups& groups) {
    return std::find_if(needs.divisions.begin(), needs.divisions.end(),
                        [&](const NeededDivision& one) { return one.groups == groups; });
}

/// The united needs of all parts. Without shapes in the recipe all parts need the same.
template <class Members>
Needs of_parts(const Recipe& recipe, Collective collective, const Placement& placement, int count,
               Members&& members) {
    Needs needs;
    for (int part = 0; part < (recipe.has_shape() ? count : 1); ++part)
        needs.add(needs_of(recipe, collective, placement.of(members(part))));
    return needs;
}

Needs of_halves(const Recipe& first, const Recipe& second, const Placement& placement) {
    Needs needs = needs_of(first, Collective::reduce, placement);
    needs.add(needs_of(second, Collective::bcast, placement));
    return needs;
}

Needs of_shape(const Recipe& recipe, Collective collective, const Placement& placement) {
    const Partition partition = resolve(*recipe.groups, placement.size(), placement);
    const ShapeRow* const row = find_shape(recipe.kind, collective);
    if (const Recipe* const alone = serves_alone(recipe, row, GroupSizes::of(partition)))
        return needs_of(*alone, collective, placement);
    if (row == nullptr) return {};
    NeededDivision division{*recipe.groups, {}, {}};
    for (std::size_t i = 0; i < row->phase_count(); ++i) {
        const Recipe& part = row->part(recipe, i);
        const Collective what = row->phase(i).what;
        if (i == row->outer())
            division.across.add(of_parts(part, what, placement, partition.smallest(),
                                         [&](int position) { return partition.positions(position); }));
        else
            division.inside.add(of_parts(part, what, placement, partition.group_count(),
                                         [&](int group) { return partition.members(group); }));
    }
    Needs needs;
    needs.native = division.inside.native || division.across.native;
    needs.pipelined = recipe.segment || division.inside.pipelined || division.across.pipelined;
    needs.divisions.push_back(std::move(division));
    return needs;
}

Needs native_alone() {
    Needs needs;
    needs.native = true;
    return needs;
}

}  // namespace

Needs needs_of(const Recipe& recipe, Collective collective, const Placement& placement) {
    switch (recipe.kind) {
        case Recipe::Kind::native:
            return native_alone();
        case Recipe::Kind::flat: {
            const Meaning meaning = meaning_of(recipe.name, collective);
            Needs needs;
            for (const Algorithm* const row : {meaning.first, meaning.then})
                needs.window = needs.window || (row != nullptr && row->in_window);
            return needs;
        }
        case Recipe::Kind::pair:
            return of_halves(recipe.parts[0], recipe.parts[1], placement);
        default:
            return of_shape(recipe, collective, placement);
    }
}

void Needs::add(const Needs& other) {
    native = native || other.native;
    pipelined = pipelined || other.pipelined;
    window = window || other.window;
    for (const NeededDivision& one : other.divisions) {
        const auto known = find(*this, one.groups);
        if (known == divisions.end()) {
            divisions.push_back(one);
            continue;
        }
        NeededDivision& here = divisions[std::size_t(known - divisions.begin())];
        here.inside.add(one.inside);
        here.across.add(one.across);
    }
}

int Needs::beyond(const Needs& made) const {
    static const Needs& nothing = *new Needs;  // never destroyed: exit handlers may call MPI
    int missing = 0;
    for (const NeededDivision& one : divisions) {
        const auto known = find(made, one.groups);
        const bool there = known != made.divisions.end();
        missing += (there ? 0 : 1) + one.inside.beyond(there ? known->inside : nothing) +
                   one.across.beyond(there ? known->across : nothing);
    }
    return missing;
}

bool Needs::windows_beyond(const Needs& made) const {
    static const Needs& nothing = *new Needs;  // never destroyed: exit handlers may call MPI
    return (window && !made.window) ||
           std::any_of(divisions.begin(), divisions.end(), [&](const NeededDivision& one) {
               const auto known = find(made, one.groups);
               const bool there = known != made.divisions.end();
               return one.inside.windows_beyond(there ? known->inside : nothing) ||
                      one.across.windows_beyond(there ? known->across : nothing);
           });
}

void Needs::remove(const Groups& groups) {
    std::erase_if(divisions, [&](const NeededDivision& one) { return one.groups == groups; });
}

bool Needs::divides_by(const Groups& groups) const { return find(*this, groups) != divisions.end(); }

}  // namespace echelon
