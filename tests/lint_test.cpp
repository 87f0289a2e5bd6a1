// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/lint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace echelon {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using Grade = Finding::Grade;

auto finding(Grade grade, const char* place, const char* words) {
    return Contains(AllOf(Field(&Finding::grade, grade), Field(&Finding::place, place),
                          Field(&Finding::sentence, HasSubstr(words))));
}

std::vector<Finding> of_rules(const std::string& rules) {
    return lint(R"({"echelon_profile": 1, "rules": [)" + rules + "]}");
}

TEST(Lint, is_silent_about_a_good_profile) {
    EXPECT_THAT(of_rules(R"({"collective": "bcast", "to": 4096, "recipe": "binomial"},
                            {"collective": "bcast", "from": 4097, "recipe": "native"})"),
                IsEmpty());
}

TEST(Lint, what_cannot_be_read_is_an_error_with_its_place) {
    EXPECT_THAT(lint("{\n\n  x"), finding(Grade::error, "", "not JSON at line 3, column 3"));
    EXPECT_THAT(lint(R"({"echelon_profile": 99})"), finding(Grade::error, "", "format is version 99"));
    EXPECT_THAT(of_rules(R"({"collective": "bcast", "recipe": "ringg"})"),
                finding(Grade::error, "", "rules[0].recipe"));
}

TEST(Lint, all_entries_that_cannot_be_read_are_named) {
    const auto found = lint(R"({"echelon_profile": 1, "parameters": 3,
        "rules": [{"collective": "bcast", "recipe": "ringg"}, {"collective": "bcst", "recipe": "ring"},
                  {"collective": "bcast", "recipe": "ring"}],
        "samples": [{"collective": "reduce", "p": 0}, 7]})");
    for (const char* place :
         {"parameters", "rules[0].recipe", "rules[1].collective", "samples[0].p", "samples[1]"})
        EXPECT_THAT(found, finding(Grade::error, "", place));
    EXPECT_EQ(found.size(), 5u);
}

TEST(Lint, unknown_keys_are_warned_of) {
    EXPECT_THAT(of_rules(R"({"collective": "bcast", "recipe": "ring", "form": 4096})"),
                finding(Grade::warning, "rules[0].form", "means nothing"));
}

TEST(Lint, messages_that_were_not_measured_are_warned_of) {
    const auto of_parameters = [](const std::string& more) {
        return lint(
            R"({"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 1e-6, "beta": 1e-9},
            "between": {"model": "hockney", "alpha": 1e-6, "beta": 1e-9})" +
            more + "}}");
    };
    EXPECT_THAT(of_parameters(""), IsEmpty());
    EXPECT_THAT(of_parameters(R"(, "not_measured": "between")"),
                finding(Grade::warning, "parameters.between", "between nodes were not measured"));
    EXPECT_THAT(of_parameters(R"(, "not_measured": "inside")"),
                finding(Grade::warning, "parameters.inside", "inside a node were not measured"));
    EXPECT_THAT(of_parameters(R"(, "not_measured": "both")"), finding(Grade::error, "", "inside or between"));
}

TEST(Lint, messages_whose_processor_time_was_not_measured_are_warned_of) {
    const auto of_overheads = [](const std::string& overheads) {
        return lint(
            R"({"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 1e-6, "beta": 1e-9},
            "between": {"model": "protocol", "pieces": [{"from": 0, "alpha": 1e-6, "beta": 1e-9}],
            "rendezvous_from": 4096, )" +
            overheads + "}}}");
    };
    EXPECT_THAT(
        of_overheads(R"("send_overhead": [[8, 1e-7], [4096, 2e-7]], "receive_overhead": [[8, 2e-7]])"),
        IsEmpty());
    EXPECT_THAT(of_overheads(R"("overhead": 1e-7)"),
                finding(Grade::warning, "parameters.between", "processor time of messages was not measured"));
}

TEST(Lint, rules_that_never_apply_are_errors) {
    EXPECT_THAT(of_rules(R"({"collective": "bcast", "from": 9, "to": 8, "recipe": "ring"})"),
                finding(Grade::error, "rules[0]", "its range ends below its beginning"));
    const auto shadowed = of_rules(R"({"collective": "bcast", "recipe": "ring"},
                                      {"collective": "bcast", "from": 9, "p_from": 4, "recipe": "chain"})");
    EXPECT_THAT(shadowed, finding(Grade::error, "rules[1]", "rules[0] takes all its calls"));
}

// Rules for some ranks counted for all: a gap was seen where no rule is, and not where one is.
TEST(Lint, gaps_are_between_rules_of_the_same_ranks) {
    EXPECT_THAT(of_rules(R"({"collective": "bcast", "to": 1023, "p_to": 8, "recipe": "ring"},
                            {"collective": "bcast", "from": 4096, "p_from": 9, "recipe": "ring"})"),
                IsEmpty());
    EXPECT_THAT(
        of_rules(R"({"collective": "bcast", "to": 1023, "p_from": 4, "p_to": 8, "recipe": "ring"},
                            {"collective": "bcast", "from": 4096, "p_to": 8, "recipe": "ring"},
                            {"collective": "bcast", "p_from": 9, "recipe": "ring"})"),
        finding(Grade::note, "rules",
                "no rule for bcast of 1K to 4095 on some numbers of ranks, such as 4: the automatic"));
}

TEST(Lint, overlaps_and_gaps_are_noted) {
    const auto found = of_rules(R"({"collective": "bcast", "to": 100, "recipe": "ring"},
                                   {"collective": "bcast", "from": 50, "to": 200, "recipe": "chain"},
                                   {"collective": "bcast", "from": 1024, "recipe": "native"})");
    EXPECT_THAT(found, finding(Grade::note, "rules[1]", "overlaps with rules[0]"));
    EXPECT_THAT(found, finding(Grade::note, "rules", "201 to 1023"));
}

TEST(Lint, recipes_that_cannot_serve_are_found) {
    EXPECT_THAT(of_rules(R"({"collective": "bcast", "recipe": "rabenseifner"})"),
                finding(Grade::error, "rules[0]", "cannot serve"));
    EXPECT_THAT(
        of_rules(R"x({"collective": "allreduce", "p_to": 64, "recipe": "leaders(G=16, ring, ring)"})x"),
        finding(Grade::warning, "rules[0]", "such as 12"));
}

TEST(Lint, samples_and_decisions_need_their_layout_and_native) {
    const char* const text = R"({"echelon_profile": 1,
        "decisions": [{"collective": "bcast", "p": 16, "layout": "4x5", "recipe": "ring"}],
        "foreseen": [{"collective": "bcast", "p": 16, "layout": "4x4", "recipe": "ring", "rivals": ["rabenseifner"],
                      "points": [{"bytes": 8, "seconds": [1, 2, 3]}]}],
        "samples": [{"collective": "bcast", "p": 16, "layout": "4x4", "bytes": 8, "recipe": "ring", "seconds": 1}]})";
    const auto found = lint(text);
    EXPECT_THAT(found, finding(Grade::error, "decisions[0]", "not one of 16 ranks"));
    EXPECT_THAT(found, finding(Grade::error, "foreseen[0]", "cannot serve"));
    EXPECT_THAT(found, finding(Grade::warning, "samples", "native collective was not measured"));
}

// Older versions called every uneven placement "7 on 3", and used the measurements of one for another.
TEST(Lint, layouts_that_no_communicator_has_any_more_are_told_once) {
    const auto found = lint(R"({"echelon_profile": 1, "samples": [
        {"collective": "bcast", "p": 7, "layout": "7 on 3", "bytes": 8, "recipe": "native", "seconds": 1},
        {"collective": "bcast", "p": 7, "layout": "7 on 3", "bytes": 64, "recipe": "native", "seconds": 1},
        {"collective": "bcast", "p": 7, "layout": "7 on 3 #0123abcd", "bytes": 8, "recipe": "native", "seconds": 1},
        {"collective": "bcast", "p": 7, "layout": "2x3+1x1", "bytes": 8, "recipe": "native", "seconds": 1}]})");
    EXPECT_THAT(found, finding(Grade::warning, "samples[0]", "does not tell who sits where"));
    EXPECT_EQ(std::ranges::count(found, Grade::warning, &Finding::grade), 1);
}

TEST(Lint, what_a_calibration_did_not_reach_is_warned_of) {
    const auto found = lint(R"({"echelon_profile": 1, "rules": [{"collective": "bcast", "recipe": "ring"}],
        "not_reached": [{"collective": "reduce", "p": 16, "layout": "4x4", "sizes": [8, 65536]}]})");
    EXPECT_THAT(found, finding(Grade::warning, "not_reached", "reduce of 8, 64K on 4x4: asked for"));
}

}  // namespace
}  // namespace echelon
