// SPDX-License-Identifier: Apache-2.0
// Most ranks receive a profile as packed text with a few known facts, and never unpack it.
#include "estimators/profile/late_profile.hpp"
#include "core/error.hpp"
#include "estimators/profile/profile_file.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <locale>
#include <thread>
#include <vector>

namespace echelon {
namespace {

const char* const text = R"({"echelon_profile": 1,
    "rules": [{"collective": "bcast", "from": 100, "to": 2000, "recipe": "ring"},
              {"collective": "bcast", "to": 99, "p_to": 4, "recipe": "chain"},
              {"collective": "bcast", "from": 7000, "recipe": "native"}],
    "decisions": [{"collective": "scan", "p": 4, "layout": "4x1", "recipe": "native"}],
    "samples": [{"collective": "reduce", "p": 4, "layout": "4x1", "bytes": 8, "recipe": "native", "seconds": 1}]})";

TEST(LateProfile, heard_from_another_rank_knows_the_same_as_there) {
    const KnownProfile read = KnownProfile::of(text, "a file"), heard = KnownProfile::heard(read.told());
    EXPECT_EQ(heard.from, "a file");
    EXPECT_EQ(heard.key, read.key);
    for (const Collective collective : all_collectives) {
        const bool knows = collective == Collective::bcast || collective == Collective::scan ||
                           collective == Collective::reduce;
        EXPECT_EQ(read.profile->knows(collective), knows) << name(collective);
        EXPECT_EQ(heard.profile->knows(collective), knows) << name(collective);
    }
    const Edges edges{{Collective::bcast, {100, 2001, 7000}}};
    EXPECT_EQ(read.profile->edges(), edges);
    EXPECT_EQ(heard.profile->edges(), edges);
    EXPECT_EQ(to_json(*heard.profile->get()), to_json(*read.profile->get()));
    EXPECT_EQ(heard.profile->text().text(), text);
}

// Host names of regions took a broadcast of their own.
TEST(LateProfile, heard_from_another_rank_says_where_hosts_are) {
    auto profile = std::make_shared<Profile>(Profile::parse(text));
    auto& regions = profile->parameters.emplace().regions;
    regions.push_back({.region = {.site = 7}, .hosts = {"a", "b"}});
    regions.back().region.torus = {.at = {3}, .size = {5}};
    regions.push_back({.region = {.site = ~std::uint64_t(0), .leaf_switch = 9}, .hosts = {"c"}});
    const KnownProfile read{3, std::make_shared<const LateProfile>(profile, text)};
    EXPECT_EQ(read.profile->regions(), regions);
    EXPECT_EQ(KnownProfile::heard(read.told()).profile->regions(), regions);
    EXPECT_TRUE(KnownProfile::heard(KnownProfile::of(text).told()).profile->regions().empty());
}

// Rank 0 tells the profile; the reader's program groups digits by spaces, as in Switzerland.
TEST(LateProfile, heard_under_another_locale_is_the_same) {
    struct Grouped : std::numpunct<char> {
        char do_thousands_sep() const override { return ' '; }
        std::string do_grouping() const override { return "\3"; }
    };
    const KnownProfile read = KnownProfile::of(text, "a file");
    const std::string told = read.told();
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouped));
    const KnownProfile heard = KnownProfile::heard(told);
    std::locale::global(before);
    EXPECT_EQ(heard.key, read.key);
    EXPECT_EQ(heard.profile->edges(), read.profile->edges());
    EXPECT_EQ(heard.profile->text().text(), text);
}

TEST(LateProfile, is_not_looked_into_before_somebody_does) {
    const LateProfile late(PackedText("no profile"), 1, {}, {});
    EXPECT_TRUE(late.knows(Collective(0)));
    EXPECT_THROW((void)late.get(), Error);
}

TEST(LateProfile, is_made_once_whoever_looks_first) {
    const LateProfile late(PackedText(text), 0, {}, {});
    std::vector<std::shared_ptr<const Profile>> seen(8);
    std::vector<std::thread> threads;
    for (auto& one : seen) threads.emplace_back([&] { one = late.get(); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(
        std::ranges::all_of(seen, [&](const auto& one) { return one == seen.front() && one != nullptr; }));
}

TEST(LateProfile, that_is_none_is_heard_with_the_reason) {
    const KnownProfile none{.from = "there is no file"}, heard = KnownProfile::heard(none.told());
    EXPECT_EQ(heard.profile, nullptr);
    EXPECT_EQ(heard.from, "there is no file");
    EXPECT_EQ(heard.key, 0u);
}

/// Profile with `samples` samples, one per line.
std::string with_samples(int samples) {
    std::string made = R"({"echelon_profile": 1, "samples": [)";
    for (int i = 0; i < samples; ++i)
        made += (i > 0 ? ",\n" : "") +
                std::string(
                    R"({"collective": "reduce", "p": 4, "layout": "4x1", "recipe": "native", "bytes": )") +
                std::to_string(8 * i) + R"(, "seconds": )" + std::to_string(1e-3 * (1 + i % 977)) + "}";
    return made + "]}";
}

TEST(LateProfile, is_told_and_kept_in_a_fifth_of_its_bytes) {
    const std::string long_text = with_samples(3000);
    const KnownProfile read = KnownProfile::of(long_text, "a file");
    const std::string told = read.told();
    EXPECT_LT(told.size(), long_text.size() / 5);
    const KnownProfile heard = KnownProfile::heard(told);
    EXPECT_EQ(heard.key, read.key);
    EXPECT_LT(heard.profile->text().bytes().size(), long_text.size() / 5);
    EXPECT_EQ(heard.profile->get()->samples.size(), 3000u);
}

TEST(PackedText, is_the_text_again_whatever_it_holds) {
    for (const std::string& one :
         {std::string(), std::string("a"), std::string("\0\0\xff", 3), std::string(1 << 20, 'x')})
        EXPECT_EQ(PackedText::of(PackedText(one).bytes()).text(), one) << one.size();
}

TEST(PackedText, complains_of_other_bytes) {
    std::string cut = PackedText("a text that is cut in the middle").bytes();
    cut.resize(cut.size() / 2);
    for (const std::string& wrong :
         {std::string(), std::string("short"), std::string("longer than a length"), cut})
        EXPECT_THROW((void)PackedText::of(wrong).text(), Error) << wrong.size();
}

}  // namespace
}  // namespace echelon
