// SPDX-License-Identifier: Apache-2.0
// Surrogates: recipes that behave like the native collectives. They are learned from measurements and
// replayed for ranks that were not measured.
#include "estimators/price/native_surrogate.hpp"
#include "estimators/choice/decide.hpp"
#include "estimators/fit/learn_native_surrogates.hpp"
#include "support/clusters.hpp"

#include <gtest/gtest.h>

namespace echelon {
namespace {

constexpr Collective b = Collective::bcast;
constexpr Bytes few = 8, many = 64 << 10;

Seconds replayed(const char* recipe, const char* layout, Bytes bytes) {
    return Predictor(cluster(), placement_of_layout(layout))
        .whole(Recipe::parse(recipe), b, bytes, {})
        .value()
        .seconds;
}

/// A library whose bcast takes `share` of the time of `recipe` on `layout`.
struct Native {
    const char *layout, *recipe;
    double share = 1;
};

std::shared_ptr<Profile> profile_of(std::initializer_list<Native> natives) {
    auto profile = std::make_shared<Profile>();
    profile->parameters = Parameters{.machine = cluster()};
    for (const auto& [layout, recipe, share] : natives)
        for (const Bytes bytes : {few, many})
            profile->samples.push_back({b, placement_of_layout(layout).size(), layout, bytes, Recipe(),
                                        share * replayed(recipe, layout, bytes), 0});
    learn_likenesses(*profile);
    return profile;
}

Seconds native(const std::shared_ptr<Profile>& profile, const char* layout, Bytes bytes) {
    return Decider(profile, placement_of_layout(layout)).decide(b, bytes, {}).native;
}

// Native times on unmeasured ranks came from other placements: SUMMA's columns, with a rank on each of eight
// nodes, were priced by eight ranks on two nodes.
TEST(Likenesses, tell_what_native_takes_on_ranks_that_were_never_measured) {
    const auto profile = profile_of({{"4x1", "binomial", 1.02},
                                     {"2x4", "binomial", 1.02},
                                     {"16x1", "binomial", 1.02},
                                     {"16x4", "binomial", 1.02}});
    auto unlearned = std::make_shared<Profile>(*profile);
    unlearned->likenesses.clear();
    for (const Bytes bytes : {few, Bytes(5000), many, Bytes(1) << 20}) {
        const Seconds truth = 1.02 * replayed("binomial", "8x1", bytes);
        EXPECT_NEAR(native(profile, "8x1", bytes), truth, 0.02 * truth) << bytes;
        EXPECT_LT(native(unlearned, "8x1", bytes), 0.5 * truth) << bytes;
    }
    EXPECT_NEAR(native(profile, "2x4", few), 1.02 * replayed("binomial", "2x4", few), 1e-9)
        << "what was measured stands";
}

TEST(Likenesses, know_leaders_of_nodes_and_segments) {
    const auto leaders = profile_of({{"4x4", "leaders(node, binomial, binomial)"},
                                     {"8x2", "leaders(node, binomial, binomial)"},
                                     {"4x8 cyclic", "leaders(node, binomial, binomial)"}});
    Seconds truth = replayed("leaders(node, binomial, binomial)", "8x4 cyclic", few);
    EXPECT_NEAR(native(leaders, "8x4 cyclic", few), truth, 0.02 * truth);
    const auto chains =
        profile_of({{"4x1", "chain(seg=8K)"}, {"8x2", "chain(seg=8K)"}, {"16x1", "chain(seg=8K)"}});
    truth = replayed("chain(seg=8K)", "7x1", many);
    EXPECT_NEAR(native(chains, "7x1", many), truth, 0.02 * truth);
}

TEST(Likenesses, say_nothing_where_the_library_does_something_else_everywhere) {
    const auto profile =
        profile_of({{"4x1", "binomial", 3}, {"8x2", "binomial", 0.3}, {"16x1", "flat_tree", 5}});
    auto unlearned = std::make_shared<Profile>(*profile);
    unlearned->likenesses.clear();
    EXPECT_EQ(native(profile, "12x1", many), native(unlearned, "12x1", many));
    EXPECT_FALSE(Likenesses(*profile)(b, 12, 12, many, unlimited, [](const Recipe&) { return 1.0; }));
}

TEST(Likenesses, tell_what_native_parts_take) {
    const auto profile = profile_of({{"16x1", "binomial"}, {"16x4", "binomial"}, {"2x4", "binomial"}});
    const NativeTimes natives(*profile);
    struct Part {
        const char *layout, *native, *alike;
    };
    for (const auto& [layout, native, alike] :
         {Part{"18x1", "leaders(G=3, native, flat_tree)", "leaders(G=3, binomial, flat_tree)"},
          {"8x4", "lanes(node, linear, native)", "lanes(node, linear, binomial)"}}) {
        const Placement placement = placement_of_layout(layout);
        Predictor model(cluster(), placement, &natives);
        const Seconds truth = model.sum(Recipe::parse(alike), b, many, {}).value().seconds;
        EXPECT_NEAR(model.sum(Recipe::parse(native), b, many, {}).value().seconds, truth, 1e-3 * truth)
            << native;
    }
}

TEST(Likenesses, of_one_node_are_not_learned) {
    EXPECT_TRUE(profile_of({{"1x4", "binomial"}, {"1x8", "binomial"}})->likenesses.empty());
}

TEST(Likenesses, of_what_a_table_says_twice_are_read_back_as_they_were_written) {
    auto profile = profile_of({{"4x1", "binomial"}, {"4x1", "binomial", 1.1}, {"16x1", "binomial"}});
    ASSERT_FALSE(profile->likenesses.empty());
    EXPECT_EQ(Profile::parse(to_json(*profile)).likenesses.size(), profile->likenesses.size());
}

TEST(Likenesses, are_learned_again_alike_and_stay_where_nobody_knows_any_more_who_sat_where) {
    auto profile = profile_of({{"4x1", "binomial"}, {"16x1", "binomial"}});
    const Likeness uneven{b, 7, "7 on 3", Recipe::parse("binomial"), {{few, 1.1}}};
    profile->likenesses.insert(profile->likenesses.begin(), uneven);
    const auto before = profile->likenesses;
    learn_likenesses(*profile);
    EXPECT_EQ(profile->likenesses, before);
}

}  // namespace
}  // namespace echelon
