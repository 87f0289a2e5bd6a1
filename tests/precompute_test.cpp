// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/precompute.hpp"
#include "groups/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace echelon {
namespace {

using testing::Contains;
using testing::Not;

constexpr Operation exact{.in_order = false, .exact = true}, rounding{.in_order = false, .exact = false};
const std::vector<Collective> all{Collective::allreduce, Collective::bcast, Collective::barrier};

Profile cluster() {
    Profile profile;
    profile.parameters = Parameters{.machine = {.inside = Hockney{5e-7, 2.5e-10},
                                                .between = Hockney{2e-5, 8e-10},
                                                .card = 1.25e9,
                                                .gamma = 3e-10}};
    // No recipe is promised without a native time, and an unmeasured recipe displaces no measured one.
    for (const Collective collective : all)
        for (const Bytes bytes : {Bytes(8), Bytes(4) << 20})
            for (const int p : {32, 36})
                profile.samples.push_back({collective, p, std::to_string(p / 4) + "x4", bytes, Recipe(),
                                           1e-3 + 1e-8 * double(bytes), 0.01});
    return profile;
}

const Placement& placement() {
    static const Placement made = placement_of_layout("4x4+1x2");
    return made;
}

Decider decider_of(const Profile& profile) { return {std::make_shared<const Profile>(profile), placement()}; }

bool always() { return true; }

TEST(Foresee, decides_as_one_that_asks) {
    const Profile unforeseen = cluster();
    Profile profile = unforeseen;
    {
        Decider asked = decider_of(unforeseen);
        profile.foreseen = foresee(asked, all, always);
    }
    Decider asks = decider_of(unforeseen), knows = decider_of(Profile::parse(to_json(profile)));
    for (const Collective collective : {Collective::allreduce, Collective::bcast})
        for (unsigned exponent = UsualSizes::least_exponent; exponent <= UsualSizes::most_exponent;
             ++exponent)
            for (const Operation operation : {exact, rounding}) {
                const Bytes bytes = UsualSizes::power(exponent);
                SCOPED_TRACE(bytes);
                ASSERT_EQ(knows.ground(collective, bytes, operation, Policy::model),
                          Decider::Ground::decided);
                const Decider::Chosen foreseen = knows.chosen(collective, bytes, operation, Policy::model),
                                      chosen = asks.chosen(collective, bytes, operation, Policy::model);
                EXPECT_EQ(to_string(foreseen.recipe), to_string(chosen.recipe));
                EXPECT_EQ(foreseen.rivals, chosen.rivals);
                EXPECT_NEAR(foreseen.seconds, chosen.seconds, 1e-3 * chosen.seconds);
                for (const Recipe& recipe : {chosen.recipe, Recipe()}) {
                    const Seconds expected = asks.expected(recipe, collective, bytes, operation);
                    EXPECT_NEAR(knows.expected(recipe, collective, bytes, operation), expected,
                                1e-3 * expected);
                }
            }
    EXPECT_EQ(knows.ground(Collective::barrier, 0, exact, Policy::model), Decider::Ground::decided);
    EXPECT_EQ(knows.ground(Collective::reduce, 8, exact, Policy::model), Decider::Ground::model)
        << "not foreseen";
}

// Sizes between two powers of two with one recipe follow the lower one.
TEST(Foresee, looks_between_where_the_choice_changes) {
    Decider decider = decider_of(cluster());
    const auto foreseen = foresee(decider, {Collective::allreduce}, always);
    std::vector<Bytes> sizes;
    for (const Foreseen& one : foreseen)
        for (const auto& point : one.points)
            if (one.exact) sizes.push_back(point.bytes);
    EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
    int changes = 0;
    for (unsigned exponent = UsualSizes::least_exponent; exponent < UsualSizes::most_exponent; ++exponent) {
        const auto recipe = [&](Bytes bytes) {
            return decider.chosen(Collective::allreduce, bytes, exact, Policy::model).recipe;
        };
        const bool changes_here =
            recipe(UsualSizes::power(exponent)) != recipe(UsualSizes::power(exponent + 1));
        changes += changes_here ? 1 : 0;
        EXPECT_THAT(sizes, Contains(UsualSizes::power(exponent)));
        if (changes_here)
            EXPECT_THAT(sizes, Contains(UsualSizes::between(exponent)));
        else
            EXPECT_THAT(sizes, Not(Contains(UsualSizes::between(exponent))));
    }
    EXPECT_GT(changes, 1);
}

TEST(Foresee, ends_when_its_time_is_over) {
    Decider decider = decider_of(cluster());
    int left = 5;
    const auto foreseen = foresee(decider, all, [&] { return left-- > 0; });
    std::size_t points = 0;
    for (const Foreseen& one : foreseen) points += one.points.size();
    EXPECT_GT(points, 0u);
    EXPECT_LE(points, 2 * 5u) << "with operations that round, and others";
}

TEST(Foresee, holds_for_ranks_that_sit_so_and_what_can_serve) {
    Profile profile = cluster();
    Foreseen ring{.collective = Collective::bcast,
                  .p = 18,
                  .layout = "4x4+1x2",
                  .recipe = Recipe::parse("ring"),
                  .points = {{.bytes = 8, .measured = true, .seconds = {1, 2}}}};
    const auto chosen = [&] {
        return decider_of(profile).ground(Collective::bcast, 8, exact, Policy::model);
    };
    profile.foreseen = {ring};
    EXPECT_EQ(chosen(), Decider::Ground::decided);
    EXPECT_EQ(decider_of(profile).chosen(Collective::bcast, 8, exact, Policy::model).native_seconds, 2);
    profile.foreseen.front().layout = "18x1";
    EXPECT_NE(chosen(), Decider::Ground::decided);
    profile.foreseen = {ring};
    profile.foreseen.front().recipe = Recipe::parse("rabenseifner");  // serves no bcast
    EXPECT_NE(chosen(), Decider::Ground::decided);
    profile.foreseen = {ring};
    profile.foreseen.front().rivals = {Recipe::parse("lanes(G=40, ring, ring)")};
    profile.foreseen.front().points.front().seconds.push_back(3);
    EXPECT_NE(chosen(), Decider::Ground::decided);
}

TEST(Foresee, without_native_parts_forgets_what_needs_them) {
    Profile profile;
    for (const char* const recipe : {"ring", "leaders(node, native, ring)"})
        profile.foreseen.push_back({.collective = Collective::bcast, .recipe = Recipe::parse(recipe)});
    profile.foreseen.push_back(profile.foreseen.front());
    profile.foreseen.back().rivals = {profile.foreseen[1].recipe};
    EXPECT_EQ(without_native_parts(profile).foreseen.size(), 1u);
}

}  // namespace
}  // namespace echelon
