// SPDX-License-Identifier: Apache-2.0
/// Lines of the decisions message on communicator creation, in the smallest number. Calls no MPI.
#include "tuner/decision_lines.hpp"
#include "tuner/decisions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace echelon {
namespace {

DecisionMessage told(Collective collective, bool exact, Bytes bytes, const char* recipe, double gain = 0.5) {
    PlanKey key = any_call(collective);
    key.exact = exact;
    key.count = bytes;
    CallDecision choice{{.recipe = Recipe::parse(recipe), .source = Source::model}};
    choice.arms = {{.recipe = choice.choice.recipe, .expected = gain * double(bytes)},
                   {.recipe = Recipe(), .expected = double(bytes)}};
    return {.key = key, .decision = choice};
}

/// Decisions of ranks that have received these lines.
class Heard {
public:
    explicit Heard(std::vector<DecisionMessage> all, CallClasses classes = CallClasses())
        : classes_(std::move(classes)), choices_(classes_) {
        const std::string text = lines_of(std::move(all), classes_);
        lines = std::ranges::count(text, '\n');
        auto table = std::make_shared<DecisionTable>();
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            const DecisionMessage one = from_line(line);
            table->add(one.key, one.until, *one.decision);
        }
        choices_.add(table);
    }
    std::string operator()(Collective collective, bool exact, Bytes bytes) const {
        const CallDecision* const found = choices_.find(told(collective, exact, bytes, "native").key);
        return found == nullptr ? "" : to_string(found->choice.recipe);
    }
    std::ptrdiff_t lines = 0;

private:
    CallClasses classes_;
    Decisions choices_;
};

constexpr Collective a = Collective::allreduce, b = Collective::bcast;

TEST(ToldLines, one_says_what_holds_for_many_sizes) {
    const Heard heard({told(b, true, 64, "ring"), told(b, true, 8, "ring"), told(b, true, 16, "ring"),
                       told(b, true, 32, "ring"), told(b, true, 96, "chain"), told(b, true, 128, "chain")});
    EXPECT_EQ(heard.lines, 2);
    for (const Bytes bytes : {1, 8, 95}) EXPECT_EQ(heard(b, true, bytes), "ring") << bytes;
    for (const Bytes bytes : {96, 255}) EXPECT_EQ(heard(b, true, bytes), "chain") << bytes;
    EXPECT_EQ(heard(b, true, 256), "") << "twice as large as the last";
}

TEST(ToldLines, end_where_nothing_or_native_is_said) {
    const Heard heard({told(b, true, 8, "ring"), told(b, true, 64, "ring"), told(b, true, 128, "native"),
                       told(b, true, 256, "ring"), told(b, true, 384, "native"), told(b, true, 512, "ring")});
    EXPECT_EQ(heard(b, true, 15), "ring");
    EXPECT_EQ(heard(b, true, 16), "") << "nobody has thought of it";
    EXPECT_EQ(heard(b, true, 127), "ring");
    EXPECT_EQ(heard(b, true, 128), "") << "it is among those without an answer";
    EXPECT_EQ(heard(b, true, 383), "ring");
    EXPECT_EQ(heard(b, true, 384), "native") << "between two powers of two";
    EXPECT_EQ(heard(b, true, 512), "ring");
}

TEST(ToldLines, do_not_reach_over_a_rules_edge_nor_to_other_gains) {
    const Heard heard({told(b, true, 1024, "ring"), told(b, true, 1200, "ring"), told(b, true, 2048, "ring")},
                      CallClasses({{b, {1200}}}));
    EXPECT_EQ(heard.lines, 2);
    EXPECT_EQ(heard(b, true, 1199), "ring");
    EXPECT_EQ(heard(b, true, 4095), "ring");
    EXPECT_EQ(Heard({told(b, true, 8, "ring", 0.5), told(b, true, 16, "ring", 0.9)}).lines, 2);
    EXPECT_EQ(Heard({told(b, true, 8, "ring", 0.5), told(b, true, 16, "ring", 0.55)}).lines, 1);
}

TEST(ToldLines, of_exact_operations_only_what_differs) {
    std::vector<DecisionMessage> all{told(a, false, 8, "ring"), told(a, true, 8, "ring"),
                                     told(a, false, 16, "ring"), told(a, true, 16, "ring")};
    const Heard same(all);
    EXPECT_EQ(same.lines, 1);
    EXPECT_EQ(same(a, true, 20), "ring");
    all.back() = told(a, true, 16, "circulant");
    const Heard other(all);
    EXPECT_EQ(other.lines, 3);
    EXPECT_EQ(other(a, true, 10), "ring");
    EXPECT_EQ(other(a, true, 20), "circulant");
    EXPECT_EQ(other(a, false, 20), "ring");
}

}  // namespace
}  // namespace echelon
