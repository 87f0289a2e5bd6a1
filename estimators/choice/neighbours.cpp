// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/neighbours.hpp"

#include "core/error.hpp"
#include "estimators/choice/candidates.hpp"
#include "hier/shapes.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace echelon {
namespace {

class Neighbourhood {
public:
    Neighbourhood(const Recipe& center, Collective collective, const Placement& placement,
                  Operation operation)
        : center_(center), collective_(collective), placement_(placement), operation_(operation) {}

    std::vector<Recipe> run() {
        (void)is_new(center_);
        if (center_.kind == Recipe::Kind::flat || center_.is_shape()) segments(center_);
        if (!center_.is_shape()) {
            algorithms([](Recipe& whole) -> Recipe& { return whole; }, true);
            return std::move(found_);
        }
        groups();  // first: of recipes without a price only the first few are measured
        algorithms([](Recipe& whole) -> Recipe& { return whole.parts.front(); }, false);
        algorithms([](Recipe& whole) -> Recipe& { return whole.parts.back(); }, true);
        for (const ShapeName& shape : shape_names) {
            Recipe other = center_;
            other.kind = shape.kind;
            add(std::move(other));
        }
        return std::move(found_);
    }

private:
    bool add(Recipe recipe) {
        if (!is_new(recipe)) return false;
        found_.push_back(std::move(recipe));
        return true;
    }

    /// True if the recipe serves and differs from all earlier ones: different names resolve to the same
    /// recipe if a phase has no algorithm of that name.
    bool is_new(const Recipe& recipe) {
        try {
            return seen_.insert(to_string(resolve(recipe, collective_, placement_, 0, operation_))).second;
        } catch (const Error&) {
            return false;
        }
    }

    /// Names of the algorithms for the phases of this place, whole or in halves.
    std::set<std::string_view> names_for(bool outer) const {
        std::set<Collective> wanted{collective_};
        if (center_.is_shape()) {
            wanted.clear();
            if (const ShapeRow* const row = find_shape(center_.kind, collective_))
                for (std::size_t i = 0; i < row->phase_count(); ++i)
                    if ((i == row->outer()) == outer) wanted.insert(row->phase(i).what);
        }
        if (wanted.contains(Collective::allreduce) || wanted.contains(Collective::barrier))
            wanted.insert({Collective::reduce, Collective::bcast});
        std::set<std::string_view> names;
        for (const Collective collective : wanted)
            for (const Algorithm& row : catalog(collective))
                if (!row.in_window) names.insert(row.name);
        return names;
    }

    /// Tries every algorithm in one place; both halves of a pair are places too.
    template <class Place>
    void algorithms(Place&& place, bool outer) {
        const std::set<std::string_view> names = names_for(outer);
        const auto replace = [&](auto&& part_of) {
            const auto with = [&](Recipe part) {
                Recipe other = center_;
                part_of(place(other)) = std::move(part);
                add(std::move(other));
            };
            for (const std::string_view name : names)
                with({.kind = Recipe::Kind::flat, .name = std::string(name)});
            if (center_.is_shape()) with({});
        };
        replace([](Recipe& part) -> Recipe& { return part; });
        Recipe copy = center_;
        if (place(copy).kind == Recipe::Kind::pair) {
            replace([](Recipe& part) -> Recipe& { return part.parts.front(); });
            replace([](Recipe& part) -> Recipe& { return part.parts.back(); });
        }
    }

    void segments(const Recipe& recipe) {
        const Bytes segment = recipe.segment.value_or(0);
        if (segment == 0) return;
        for (const Bytes other : {segment / 2, segment * 2, Bytes(0)}) {
            Recipe changed = recipe;
            changed.segment = other;
            if (other == 0 && recipe.is_shape()) changed.segment.reset();
            add(std::move(changed));
        }
    }

    void groups() {
        const int p = placement_.size();
        int own = 0;
        try {
            own = resolve(*center_.groups, p, placement_).group_count();
        } catch (const Error&) {
            return;
        }
        const std::vector<int> counts = group_counts(p);
        const auto with = [&](Groups groups) {
            Recipe other = center_;
            other.groups = std::move(groups);
            return add(std::move(other));
        };
        // The next counts that can serve: some shapes need equal groups.
        for (auto above = std::upper_bound(counts.begin(), counts.end(), own); above != counts.end(); ++above)
            if (with(Groups::count(*above))) break;
        for (auto below = std::lower_bound(counts.begin(), counts.end(), own); below != counts.begin();)
            if (with(Groups::count(*--below))) break;
        const int nodes = placement_.node_count();
        if (nodes > 1 && nodes < p) with(Groups::node());
    }

    const Recipe& center_;
    Collective collective_;
    const Placement& placement_;
    Operation operation_;
    std::vector<Recipe> found_;
    std::set<std::string> seen_;  // resolved recipes
};

}  // namespace

std::vector<Recipe> neighbours(const Recipe& recipe, Collective collective, const Placement& placement,
                               Operation operation) {
    return Neighbourhood(recipe, collective, placement, operation).run();
}

}  // namespace echelon
