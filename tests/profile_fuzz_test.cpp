// SPDX-License-Identifier: Apache-2.0
// Wrong profiles: cut off, with flipped bits, mutated. Each is refused with a sentence or used: no crash, no
// hang, and two ranks that read the same text decide alike.
#include "core/error.hpp"
#include "estimators/choice/advisor.hpp"
#include "estimators/choice/lint.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "groups/layout.hpp"

#include <gtest/gtest.h>

#include <random>

namespace echelon {
namespace {

std::string good_text() {
    Profile profile;
    profile.fingerprint = {"MPI", "a processor", {"eth0"}, 4};
    profile.parameters = Parameters{
        .machine = {.inside = PiecewiseHockney{{{0, {5e-7, 2.5e-10}}, {8192, {2e-6, 2e-10}}}},
                    .between = LogGP{.latency = 1e-5, .overhead = 1e-6, .gap = 2e-6, .per_byte = 1e-9},
                    .card = 2e9,
                    .gamma = 3e-10}};
    for (const Bytes bytes : {8, 1024, 65536})
        for (const char* recipe :
             {"native", "ring", "leaders(node, binomial, recursive_doubling)", "circulant"})
            profile.samples.push_back({Collective::allreduce, 16, "4x4", Bytes(bytes), Recipe::parse(recipe),
                                       1e-5 + 1e-9 * double(bytes), 0.02});
    profile.decisions.push_back(
        {Collective::reduce, 16, "4x4", {0, 64}, Recipe::parse("binomial"), 1e-6, 2e-6});
    profile.rules.push_back({Collective::bcast, {4096, 8191}, 2, 64, Recipe::parse("chain(seg=1K)")});
    profile.foreseen.push_back({.collective = Collective::allreduce,
                                .p = 16,
                                .layout = "4x4",
                                .exact = false,
                                .recipe = Recipe::parse("ring"),
                                .rivals = {Recipe::parse("leaders(node, binomial, ring)")},
                                .points = {{.bytes = 64, .measured = true, .seconds = {1e-5, 2e-5, 3e-5}},
                                           {.bytes = 96, .measured = false, .seconds = {1e-5, 0, 3e-5}}}});
    learn_corrections(profile);
    return to_json(profile);
}

/// Parses the text; if it is accepted, decides twice, independently.
bool use(const std::string& text) {
    (void)lint(text);
    const auto decisions = [&]() -> std::string {
        Advisor advisor(std::make_shared<const Profile>(Profile::parse(text)), placement_of_layout("4x4"));
        std::string all;
        for (const Collective collective : {Collective::allreduce, Collective::reduce, Collective::bcast})
            for (const Bytes bytes : {Bytes(64), Bytes(5000)})
                all +=
                    to_string(advisor.advise(collective, bytes, {.in_order = false, .exact = false}).recipe) +
                    ';';
        return all;
    };
    try {
        const std::string one = decisions();
        EXPECT_EQ(one, decisions());
        return true;
    } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
        EXPECT_LT(std::string(error.what()).size(), 1000u);
        return false;
    }
}

TEST(WrongProfiles, every_truncation_is_refused_or_used) {
    const std::string text = good_text();
    ASSERT_TRUE(use(text));
    for (std::size_t length = 0; length + 2 < text.size(); length += 7)
        EXPECT_FALSE(use(text.substr(0, length))) << "cut off at " << length;
}

TEST(WrongProfiles, flipped_bits_do_no_harm) {
    const std::string text = good_text();
    std::mt19937 engine(7);
    int refused = 0;
    for (int i = 0; i < 1500; ++i) {
        std::string wrong = text;
        for (auto flips = 1 + engine() % 3; flips > 0; --flips)
            wrong[engine() % wrong.size()] ^= char(1u << engine() % 8);
        refused += use(wrong) ? 0 : 1;
    }
    EXPECT_GT(refused, 100) << "else this test flips nothing";
    EXPECT_LT(refused, 1500);
}

TEST(WrongProfiles, mutations_do_no_harm) {
    const std::string text = good_text();
    const std::vector<std::string> words{"null",
                                         "-1",
                                         "1e308",
                                         "1e-308",
                                         "18446744073709551615",
                                         "0",
                                         "[]",
                                         "{}",
                                         "\"\"",
                                         "true",
                                         "\"ring\"",
                                         "-0.0",
                                         "99999999999999999999",
                                         ",",
                                         "\"4x4\"",
                                         "1e400",
                                         "\"leaders(G=1000000, ring, ring)\""};
    std::mt19937 engine(11);
    int used = 0;
    for (int i = 0; i < 1500; ++i) {
        std::string wrong = text;
        for (auto edits = 1 + engine() % 2; edits > 0; --edits) {
            const std::size_t at = engine() % wrong.size();
            const std::size_t end = wrong.find_first_of(",}]", at);
            const std::size_t begin = wrong.find_last_of(":,[{", at);
            const std::string& word = words[engine() % words.size()];
            switch (engine() % 3) {
                case 0:  // another value
                    if (begin != std::string::npos && end != std::string::npos && begin < end)
                        wrong.replace(begin + 1, end - begin - 1, word);
                    break;
                case 1:
                    wrong.erase(at, engine() % 20);
                    break;
                default:
                    wrong.insert(at, word);
            }
            if (wrong.empty()) wrong.assign(1, '{');
        }
        used += use(wrong) ? 1 : 0;
    }
    EXPECT_GT(used, 50) << "else nothing but the parser is tested";
}

// Two factors of 1e308 have an infinite mean: it left a curve without points, and reading the curve crashed;
// messages that take infinitely long were put in order for ever.
TEST(WrongProfiles, numbers_of_any_size_do_no_harm) {
    const std::string text = good_text();
    const std::vector<std::string> sizes{"1e308", "1e-308", "5e-324", "1e30", "1e-30", "1"};
    std::mt19937 engine(13);
    int used = 0;
    for (int i = 0; i < 200; ++i) {
        std::string wrong = text;
        const auto kinds = 1 + engine() % sizes.size();  // the last ones: some profiles must be usable
        for (const std::string key :
             {"factor", "of_sum", "seconds", "native_seconds", "spread", "latency", "gamma", "card"})
            for (std::size_t at = 0; (at = wrong.find('"' + key + "\":", at)) != std::string::npos; ++at) {
                const std::size_t begin = at + key.size() + 3, end = wrong.find_first_of(",}", begin);
                if (engine() % 2 == 0)
                    wrong.replace(begin, end - begin, sizes[sizes.size() - 1 - engine() % kinds]);
            }
        used += use(wrong) ? 1 : 0;
    }
    EXPECT_GT(used, 20) << "else nothing but the parser is tested";
}

}  // namespace
}  // namespace echelon
