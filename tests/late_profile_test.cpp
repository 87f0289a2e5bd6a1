// SPDX-License-Identifier: Apache-2.0
// Of a profile most ranks hear the text and what it knows, and never look into it.
#include "cache/late_profile.hpp"
#include "cache/profile_file.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>
#include <algorithm>
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
    EXPECT_EQ(heard.profile->text(), text);
}

TEST(LateProfile, is_not_looked_into_before_somebody_does) {
    const LateProfile late("no profile", 1, {});
    EXPECT_TRUE(late.knows(Collective(0)));
    EXPECT_THROW((void)late.get(), Error);
}

TEST(LateProfile, is_made_once_whoever_looks_first) {
    const LateProfile late(text, 0, {});
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

}  // namespace
}  // namespace echelon
