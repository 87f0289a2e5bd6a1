// SPDX-License-Identifier: Apache-2.0
// Cost of a choice if all communicators that a program makes together call at the same time.
#include "estimators/choice/decide.hpp"
#include "groups/layout.hpp"
#include "groups/ways.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echelon {
namespace {

constexpr Collective r = Collective::reduce;
constexpr Bytes bytes = 48 << 10;

/// A machine on which one rank alone can fill its node's card.
Machine one_card() {
    const Protocol network{.one_way = {{{0, {1e-5, 3.2e-10}}}}, .rendezvous_from = 0};
    return {.inside = Protocol{.one_way = {{{0, {5e-7, 2.5e-10}}}}}, .between = network, .card = 3.1e9};
}

/// 7 rows of 8 ranks, dealt cyclically over 7 nodes: each row begins on another node.
const Placement& whole() {
    static const Placement made = placement_of_layout("7x8 cyclic");
    return made;
}
Company rows() {
    Company made{whole(), {}};
    const Partition groups = by_size(whole().size(), 8);
    for (int row = 0; row < groups.group_count(); ++row)
        made.communicators.emplace_back(groups.members(row).begin(), groups.members(row).end());
    return made;
}
Placement row() { return whole().of(rows().communicators.front()); }

Seconds together(const Company& company, const char* recipe) {
    return Replay(one_card(), company.whole, company.communicators)(Recipe::parse(recipe), r, bytes, {})
        .value();
}
Seconds alone(const char* recipe) {
    return Replay(one_card(), row())(Recipe::parse(recipe), r, bytes, {}).value();
}

TEST(Company, of_nobody_else_changes_nothing) {
    const Company company = rows();
    for (const char* const recipe : {"linear", "direct", "lanes(G=2, linear, ring)"}) {
        EXPECT_EQ(together({whole(), {company.communicators.front()}}, recipe), alone(recipe)) << recipe;
        EXPECT_GE(together(company, recipe), alone(recipe)) << recipe;
    }
}

TEST(Company, shares_cards_where_all_send_at_once_and_not_where_one_receives_all) {
    EXPECT_NEAR(together(rows(), "linear"), alone("linear"), 0.05 * alone("linear"));
    EXPECT_GT(together(rows(), "direct"), 2 * alone("direct"));
}

TEST(Company, of_communicators_that_share_no_node_leaves_them_alone) {
    const Placement nodes = placement_of_layout("4x1");
    EXPECT_EQ(Replay(one_card(), nodes, {{0, 1}, {2, 3}})(Recipe::parse("direct"), r, bytes, {}),
              Replay(one_card(), nodes.of(Ranks{0, 1}))(Recipe::parse("direct"), r, bytes, {}));
}

/// Profile of a library whose reduce is `linear`. The rows themselves were not measured.
std::shared_ptr<const Profile> profile() {
    auto made = std::make_shared<Profile>();
    made->parameters = Parameters{.machine = one_card()};
    for (const char* const layout : {"4x1", "7x1", "7x2", "7x8 cyclic"}) {
        const Placement placement = placement_of_layout(layout);
        made->samples.push_back({r, placement.size(), layout, bytes, Recipe(),
                                 Replay(one_card(), placement)(Recipe::parse("linear"), r, bytes, {}).value(),
                                 0.01});
    }
    return made;
}

TEST(Company, counts_as_much_as_being_alone) {
    const Company company = rows();
    Decider by_itself(profile(), row()), among_others(profile(), row(), Width::best, &company);
    const auto chosen = [&](Decider& decider) {
        return to_string(decider.chosen(r, bytes, {}, Policy::model).recipe);
    };
    const std::string fast = chosen(by_itself), fair = chosen(among_others);
    const auto both = [&](const std::string& recipe) {
        return alone(recipe.c_str()) * together(company, recipe.c_str());
    };
    EXPECT_NE(fast, fair) << "the machine shows nothing";
    EXPECT_GE(alone(fair.c_str()), alone(fast.c_str()));
    EXPECT_LT(together(company, fair.c_str()), together(company, fast.c_str()));
    EXPECT_LT(both(fair), both(fast));
}

TEST(Company, lengthens_calls_in_a_program_and_not_alone) {
    const Company company = rows();
    Decider by_itself(profile(), row()), among_others(profile(), row(), Width::best, &company);
    for (const char* const name : {"direct", "native"}) {
        const Recipe recipe = Recipe::parse(name);
        EXPECT_EQ(among_others.expected(recipe, r, bytes, {}), by_itself.expected(recipe, r, bytes, {}))
            << name;
        EXPECT_GT(among_others.in_a_program(recipe, r, bytes, {}),
                  1.1 * by_itself.in_a_program(recipe, r, bytes, {}))
            << name;
    }
}

/// 8 ranks on each of 4 nodes; a column has a rank of each node.
Company columns() {
    Company made{placement_of_layout("4x8"), {}};
    for (int column = 0; column < 8; ++column)
        made.communicators.push_back({column, column + 8, column + 16, column + 24});
    return made;
}

// Alone, a column's bcast is the fastest by `direct`. On cards that all columns share, a pipeline may be.
TEST(Company, brings_rivals_that_are_slower_alone) {
    const Company company = columns();
    constexpr Bytes few = 8 << 10;
    const Placement column = company.whole.of(company.communicators.front());
    const Protocol network{.one_way = {{{0, {5e-5, 9e-9}}}}, .rendezvous_from = Bytes(1) << 20};
    const Machine machine{.inside = one_card().inside, .between = network, .card = 1.1e8};
    const auto time = [&](const char* recipe) {
        return Replay(machine, column)(Recipe::parse(recipe), Collective::bcast, few, {}).value();
    };
    auto made = std::make_shared<Profile>();
    made->parameters = Parameters{.machine = machine};
    for (const auto& [recipe, seconds] :
         {std::pair("native", 3 * time("direct")), {"direct", time("direct")}})
        made->samples.push_back(
            {Collective::bcast, 4, layout_of(column), few, Recipe::parse(recipe), seconds, 0.01});
    Decider decider(made, column, Width::best, &company);
    const Decider::Chosen& chosen = decider.chosen(Collective::bcast, few, {}, Policy::model);
    const auto is_slower_alone = [&](const Recipe& rival) {
        return time(to_string(rival).c_str()) > 1.25 * time("direct");
    };
    EXPECT_EQ(to_string(chosen.recipe), "direct");
    EXPECT_TRUE(std::ranges::any_of(chosen.rivals, is_slower_alone));
}

}  // namespace
}  // namespace echelon
