// SPDX-License-Identifier: Apache-2.0
// Text of the summary for given records.
#include "report/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace echelon {
namespace {

constexpr Collective a = Collective::allreduce;
constexpr double tick = 1e-6;

void count(Tally& tally, const char* recipe, Source source, int calls, double seconds, Evidence evidence = {},
           Bytes bytes = 8) {
    Tally::Counts& row = tally.row(a, bytes, recipe, source, "");
    for (int i = 0; i < calls; ++i) row.add(std::uint64_t(seconds / tick), evidence);
}

Summary summary_of(Tally tally) {
    Summary summary{.ranks = 2, .seconds_per_tick = tick};
    summary.communicators.push_back({.name = "world", .ranks = 2, .tally = std::move(tally)});
    summary.sum_up(1, 0);
    return summary;
}

// The report claimed more saved time than the run had taken, since a disturbed trial had measured native far
// too slow.
TEST(Saved, is_no_more_than_native_calls_took_longer) {
    const Evidence disturbed{.native = 50e-3, .ours = 1e-3};
    Tally tally;
    count(tally, "native", Source::built_in, 12, 120e-6);
    count(tally, "native", Source::trial, 8, 120e-6);
    count(tally, "ring", Source::trial, 4000, 100e-6, disturbed);
    const Summary summary = summary_of(tally);
    EXPECT_NEAR(summary.totals.saved_by_trials.sum, 4000 * 20e-6, 1e-9);
    const auto json = nlohmann::json::parse(to_json(summary));
    EXPECT_NEAR(json["totals"]["saved"]["seconds"].get<double>(), 4000 * 20e-6, 1e-9);
    double of_rows = 0;
    for (const auto& row : json["communicators"][0]["calls"])
        if (row["saved_seconds"].is_number()) of_rows += row["saved_seconds"].get<double>();
    EXPECT_NEAR(of_rows, 4000 * 20e-6, 1e-9);
}

// Prometheus refuses a metric without a name, a label value with a bare quote, labels that come twice.
TEST(Prometheus, reads_each_line) {
    Tally tally;
    count(tally, "ring", Source::trial, 4, 100e-6, {.native = 200e-6, .ours = 100e-6});
    count(tally, "lanes(node, ring, ring)", Source::model, 2, 100e-6);
    tally.bypassed(a, Bypass::uneven);
    Summary summary = summary_of(tally);
    summary.communicators.push_back({.name = "row", .ranks = 2, .tally = tally});
    summary.profile = "/a \"b\"\\c\nd.json";
    const std::string text = to_prometheus(summary);
    const std::regex sample(R"re(echelon_[a-z_]+\{([a-z_]+="([^"\\]|\\["\\n])*",?)+\} [-0-9.e+]+)re"),
        comment("# (HELP|TYPE) echelon_[a-z_]+ .+");
    std::istringstream lines(text);
    std::set<std::string> series;
    for (std::string line; std::getline(lines, line);) {
        if (line[0] == '#') {
            EXPECT_TRUE(std::regex_match(line, comment)) << line;
            continue;
        }
        EXPECT_TRUE(std::regex_match(line, sample)) << line;
        EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << "twice: " << line;
    }
    EXPECT_THAT(text, testing::HasSubstr(R"(profile="/a \"b\"\\c\nd.json")"));
    EXPECT_THAT(text, testing::ContainsRegex("echelon_calls_total.*recipe=\"ring\",source=\"trial\"} 8\n"))
        << "calls of both communicators";
    EXPECT_THAT(text, testing::ContainsRegex("echelon_native_calls_total.*} 2\n"));
}

// The word for choices of MPI_Init was "trial".
TEST(Startup, has_a_word_of_its_own_and_counts_as_measured_in_this_run) {
    Tally tally;
    count(tally, "shm", Source::startup, 4, 1e-3, {.native = 2e-3, .ours = 1e-3});
    const Summary summary = summary_of(tally);
    EXPECT_NEAR(summary.totals.saved_by_trials.sum, 4e-3, 1e-9);
    EXPECT_EQ(nlohmann::json::parse(to_json(summary))["communicators"][0]["calls"][0]["source"], "startup");
    EXPECT_THAT(to_prometheus(summary), testing::HasSubstr("recipe=\"shm\",source=\"startup\"} 4\n"));
    EXPECT_THAT(to_text(summary), testing::ContainsRegex(" startup +shm"));
}

TEST(Link, is_told_as_seen) {
    Summary summary = summary_of({});
    EXPECT_TRUE(nlohmann::json::parse(to_json(summary))["link"].is_null());
    EXPECT_EQ(to_text(summary).find("between nodes"), std::string::npos);
    summary.link = Hockney{.alpha = 5e-3, .beta = 1 / 2.5e6};
    const auto link = nlohmann::json::parse(to_json(summary))["link"];
    EXPECT_DOUBLE_EQ(link["latency_seconds"].get<double>(), 5e-3);
    EXPECT_DOUBLE_EQ(link["bytes_per_second"].get<double>(), 2.5e6);
    EXPECT_NE(to_text(summary).find("between nodes   a message takes 5 ms, and then 2.5 MB/s"),
              std::string::npos)
        << to_text(summary);
}

TEST(Saved, is_nothing_where_native_calls_took_less) {
    Tally tally;
    count(tally, "native", Source::built_in, 20, 50e-6);
    count(tally, "ring", Source::trial, 100, 100e-6, {.native = 1e-3, .ours = 1e-4});
    EXPECT_EQ(summary_of(tally).totals.saved_by_trials.sum, 0);
}

TEST(Saved, is_what_was_measured_where_the_run_says_no_more) {
    const Evidence evidence{.native = 3e-3, .ours = 1e-3};
    Tally few, other_size, plenty, slower;
    count(few, "native", Source::built_in, 19, 100e-6);
    count(few, "ring", Source::profile_decision, 10, 100e-6, evidence);
    EXPECT_NEAR(summary_of(few).totals.saved_by_profile.sum, 20e-3, 1e-9) << "too few native calls";
    count(other_size, "native", Source::built_in, 100, 100e-6, {}, 1 << 20);
    count(other_size, "ring", Source::profile_decision, 10, 100e-6, evidence);
    EXPECT_NEAR(summary_of(other_size).totals.saved_by_profile.sum, 20e-3, 1e-9);
    count(plenty, "native", Source::built_in, 100, 10e-3);
    count(plenty, "ring", Source::trial, 10, 1e-3, evidence);
    EXPECT_NEAR(summary_of(plenty).totals.saved_by_trials.sum, 20e-3, 1e-9) << "the run would bear more";
    count(slower, "native", Source::built_in, 100, 1e-3);
    count(slower, "ring", Source::trial, 10, 1e-3, {.native = 1e-3, .ours = 2e-3});
    EXPECT_NEAR(summary_of(slower).totals.saved_by_trials.sum, -10e-3, 1e-9) << "losses stand";
}

// A report of 200 communicators had hundreds of lines.
TEST(SummaryText, fits_some_screens_however_many_communicators_there_are) {
    Summary summary{.ranks = 2, .seconds_per_tick = tick};
    for (int i = 0; i < 200; ++i) {
        CommunicatorRecord record{.name = "comm " + std::to_string(i), .ranks = 2};
        // All communicators take equally long except one.
        for (const Bytes bytes : {8, 1024})
            count(record.tally, "native", Source::built_in, 1, i == 77 ? 2e-3 : 1e-3, {}, bytes);
        if (i % 2 == 1) record.tally.bypassed(a, Bypass::uneven);
        summary.communicators.push_back(std::move(record));
    }
    for (const Collective collective : all_collectives)
        summary.communicators[77].tally.row(collective, 64, "ring", Source::trial, "").add(1, {});
    summary.sum_up(1, 0);
    const std::string text = to_text(summary);
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 110) << text;
    EXPECT_THAT(text, testing::HasSubstr("comm 77, "));
    EXPECT_THAT(text, testing::HasSubstr("rows that took less, and "));
    EXPECT_THAT(text, testing::HasSubstr("ECHELON_SUMMARY=json has all"));
    // No communicator is listed without a row.
    EXPECT_THAT(text, testing::Not(testing::ContainsRegex("ranks\n  sub-communicators")));
    EXPECT_EQ(nlohmann::json::parse(to_json(summary))["communicators"].size(), 200u);
}

// A run beside other programs reported a saving and did not mention their load.
TEST(Summary, tells_of_other_programs_that_wanted_the_processors) {
    Tally tally;
    count(tally, "ring", Source::trial, 3, 1e-3);
    Summary summary = summary_of(std::move(tally));
    const auto told = [&](double load, int processors, int ranks_here) {
        summary.load = load;
        summary.processors = processors;
        summary.ranks_here = ranks_here;
        const bool text = to_text(summary).find("  busy machine    load ") != std::string::npos;
        EXPECT_EQ(nlohmann::json::parse(to_json(summary))["disturbed"].get<bool>(), text);
        return text;
    };
    EXPECT_TRUE(told(7.8, 2, 2));
    EXPECT_FALSE(told(2.5, 2, 2));
    EXPECT_FALSE(told(8, 2, 8)) << "these are its own ranks";
    EXPECT_TRUE(told(13, 2, 8));
    EXPECT_FALSE(told(-1, 2, 2)) << "nobody knows";
    summary.load = 7.84;
    EXPECT_THAT(to_text(summary), testing::HasSubstr("load 7.8 on 2 processors"));
}

// A plan that never ran had a row: "allreduce 8..16 0 0.000000 0.00".
TEST(Summary, has_no_row_for_calls_that_never_came) {
    Tally tally, nothing;
    count(tally, "native", Source::built_in, 3, 1e-3);
    for (Tally* one : {&tally, &nothing}) one->row(a, 8, "ring", Source::trial, "");
    EXPECT_FALSE(tally.empty());
    EXPECT_TRUE(nothing.empty());
    const Summary summary = summary_of(tally);
    EXPECT_THAT(to_text(summary), testing::HasSubstr("native"));
    EXPECT_THAT(to_text(summary), testing::Not(testing::HasSubstr("ring")));
    EXPECT_THAT(to_text(summary), testing::Not(testing::HasSubstr("took less")));
    EXPECT_EQ(nlohmann::json::parse(to_json(summary))["communicators"][0]["calls"].size(), 1u);
}

TEST(SummaryText, of_one_communicator_is_whole) {
    Tally tally;
    count(tally, "native", Source::built_in, 1, 1e-3);
    tally.bypassed(a, Bypass::uneven);
    const std::string text = to_text(summary_of(tally));
    EXPECT_THAT(text, testing::HasSubstr("world, a communicator of 2 ranks\n  collective"));
    EXPECT_THAT(text, testing::HasSubstr("native: blocks of different lengths"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("took less")));
}

}  // namespace
}  // namespace echelon
