// SPDX-License-Identifier: Apache-2.0
// What rows take where nodes share a card: the closed forms that choose against a replay of all messages.
#include "estimators/recipe_time.hpp"
#include "estimators/simulator.hpp"
#include "flat/catalog.hpp"
#include "hier/recorded_site.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace echelon {
namespace {

TEST(NodeTimes, closed_forms_are_near_the_replay) {
    Machine machine{.inside = Hockney{5e-7, 2.5e-10}, .between = Hockney{2e-5, 8e-10}, .card = 1.25e9};
    std::vector<double> ratios;
    for (const char* layout : {"4x4", "8x4", "16x2", "4x4 cyclic"}) {
        const Placement placement = placement_of_layout(layout);
        const Terrain terrain(placement);
        machine.nodes.assign(placement.nodes().begin(), placement.nodes().end());
        RecipeTimes times(machine, terrain);
        for (const Algorithm& row : catalog()) {
            if (row.collective != Collective::allreduce && row.collective != Collective::reduce &&
                row.collective != Collective::bcast)
                continue;
            for (const Bytes bytes : {Bytes(64), Bytes(8192), Bytes(262144)}) {
                const Recipe recipe{.kind = Recipe::Kind::flat, .name = std::string(row.name)};
                const Call call{.collective = row.collective, .count = bytes / 8, .element_size = 8};
                const Seconds replay = simulate(record(recipe, call, placement), machine).makespan();
                const Seconds form = *times(recipe, row.collective, bytes, {});
                ratios.push_back(form / replay);
                EXPECT_GT(form / replay, 0.5)
                    << layout << ' ' << name(row.collective) << ' ' << row.name << ' ' << bytes;
                EXPECT_LT(form / replay, 2)
                    << layout << ' ' << name(row.collective) << ' ' << row.name << ' ' << bytes;
            }
        }
    }
    std::sort(ratios.begin(), ratios.end());
    // Most are much nearer than the bounds for all.
    EXPECT_GT(ratios[ratios.size() / 10], 0.9);
    EXPECT_LT(ratios[ratios.size() * 9 / 10], 1.2);
}

}  // namespace
}  // namespace echelon
