// SPDX-License-Identifier: Apache-2.0
// Decisions for nodes on several switches.
#include "estimators/choice/decide.hpp"
#include "estimators/price/replay.hpp"
#include "groups/layout.hpp"
#include "support/clusters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tuple>

namespace echelon {
namespace {

constexpr Collective a = Collective::allreduce, r = Collective::reduce, b = Collective::bcast;

/// Nodes dealt cyclically over four switches.
Placement on_four_switches(int ranks_per_node) {
    std::vector<Location> ranks;
    for (int node = 0; node < 16; ++node)
        for (int i = 0; i < ranks_per_node; ++i)
            ranks.push_back(
                {.node = std::uint64_t(node), .region = {.leaf_switch = std::uint64_t(1 + node % 4)}});
    return Placement::from(ranks);
}

TEST(Decision, keeps_away_from_narrow_trunks_between_switches) {
    Machine machine = cluster();
    machine.beyond = {
        {.level = Level::leaf_switch, .network = cluster().between, .uplink = cluster().card / 4}};
    const Bytes some = 16384, many = 1 << 20;
    for (const auto& [ranks_per_node, collective, bytes, groups] : {std::tuple(1, a, some, "lanes(switch, "),
                                                                    {1, b, many, "leaders(switch, "},
                                                                    {2, b, many, ", lanes(switch, "},
                                                                    {4, r, many, ", lanes(switch, "}}) {
        const Placement placement = on_four_switches(ranks_per_node);
        Replay truth_of(machine, placement);
        const auto chosen = [&, what = collective, length = bytes](const Placement& known) {
            return Decider(profile_of(machine), known).decide(what, length, {}).ranked.front().recipe;
        };
        const Recipe blind = chosen(placement.without_switches()), best = chosen(placement);
        EXPECT_THAT(to_string(best), testing::HasSubstr(groups));
        EXPECT_LT(truth_of(best, collective, bytes, {}).value(),
                  0.8 * truth_of(blind, collective, bytes, {}).value())
            << to_string(best) << " in place of " << to_string(blind);
    }
}

// Names of switches do no harm if the network between them is unknown.
TEST(Decision, by_names_of_switches_alone_is_as_good) {
    const Placement placement = on_four_switches(2);
    for (const Bytes bytes : {Bytes(8), Bytes(16384), Bytes(1) << 20}) {
        auto profile = profile_of(cluster());
        const Placement plain = placement.without_switches();
        EXPECT_LE(Decider(profile, placement).decide(a, bytes, {}).ranked.front().expected,
                  Decider(profile, plain).decide(a, bytes, {}).ranked.front().expected);
        profile->samples.push_back({a, 32, layout_of(plain), bytes, Recipe::parse("ring"), 1e-6, 0});
        const Candidate first = Decider(profile, placement).decide(a, bytes, {}).ranked.front();
        EXPECT_EQ(to_string(first.recipe), "ring") << "what was measured before goes on to count";
        EXPECT_EQ(first.basis, Basis::measured);
    }
}

}  // namespace
}  // namespace echelon
