// SPDX-License-Identifier: Apache-2.0
// Cost of a choice if all communicators that a program makes together call at the same time.
#include "estimators/choice/best_concurrent.hpp"
#include "estimators/choice/decide.hpp"
#include "groups/layout.hpp"
#include "groups/ways.hpp"

#include <gtest/gtest.h>

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

/// Order of the candidates of `list`; `longer` maps a recipe to its slowdown among concurrent communicators.
std::vector<std::string> order_of(std::vector<Candidate> list, std::map<std::string, double> longer) {
    best_in_company_first(list, [&](const Recipe& recipe) {
        const auto known = longer.find(to_string(recipe));
        return known != longer.end() ? std::optional(known->second) : std::nullopt;
    });
    std::vector<std::string> names;
    for (const Candidate& one : list) names.push_back(to_string(one.recipe));
    return names;
}
Candidate candidate(const char* recipe, double expected, bool is_known = false, double error = 0) {
    return {.recipe = Recipe::parse(recipe), .expected = expected, .error = error, .is_known = is_known};
}
using Names = std::vector<std::string>;

TEST(BestInCompany, is_what_takes_least_alone_and_together) {
    const std::vector<Candidate> list{candidate("direct", 1), candidate("ring", 2),
                                      candidate("native", 3, true), candidate("linear", 4)};
    EXPECT_EQ(order_of(list, {{"direct", 3}, {"ring", 1}}).front(), "direct") << "1.7 and 2";
    EXPECT_EQ(order_of(list, {{"direct", 5}, {"ring", 1}}), (Names{"ring", "direct", "native", "linear"}))
        << "2.2 and 2";
    EXPECT_EQ(order_of(list, {{"direct", 5}}).front(), "direct") << "ring may be as bad";
    EXPECT_EQ(order_of(list, {{"direct", 99}, {"ring", 99}, {"linear", 1}}).front(), "direct")
        << "what is slower than native alone is not asked for";
}

TEST(BestInCompany, leads_native_by_more_than_its_guess_may_be_off) {
    const auto with_native = [](bool is_known) {
        return std::vector<Candidate>{candidate("direct", 1), candidate("ring", 9),
                                      candidate("native", 10, is_known, 0.15)};
    };
    const std::map<std::string, double> crowded{{"direct", 99}, {"ring", 1}};
    EXPECT_EQ(order_of(with_native(true), crowded).front(), "ring");
    EXPECT_EQ(order_of(with_native(false), crowded).front(), "direct");
}

}  // namespace
}  // namespace echelon
