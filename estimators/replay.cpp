// SPDX-License-Identifier: Apache-2.0
#include "estimators/replay.hpp"

#include "core/error.hpp"
#include "estimators/simulator.hpp"
#include "hier/recorded_site.hpp"

namespace echelon {

Replay::Replay(Machine machine, Placement placement)
    : machine_(std::move(machine)), placement_(std::move(placement)) {
    machine_.nodes.assign(placement_.nodes().begin(), placement_.nodes().end());
}

std::optional<Seconds> Replay::operator()(const Recipe& recipe, Collective collective, Bytes bytes,
                                          Operation operation) const {
    if (recipe.kind == Recipe::Kind::native || recipe.has_native_parts()) return std::nullopt;
    const Bytes element = bytes % 4 == 0 ? 4 : 1;
    const Call call{
        .collective = collective, .count = bytes / element, .element_size = element, .operation = operation};
    try {
        return simulate(record(recipe, call, placement_), machine_).makespan();
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace echelon
