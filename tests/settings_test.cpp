// SPDX-License-Identifier: Apache-2.0
/// Values of settings that have several parts, and the sentences for wrong values and for removed names.
#include "settings/settings.hpp"

#include "core/window.hpp"
#include "settings/settings_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cctype>

/// The capital of i in Turkish, in place of the C library's function.
extern "C" int toupper(int c) noexcept { return c == 'i' ? 0xdd : 'a' <= c && c <= 'z' ? c - 'a' + 'A' : c; }

namespace echelon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Settings read(const std::string& name, const std::string& value) {
    Settings settings;
    settings.read(name, value, name);
    return settings;
}

/// The sentence for a wrong value or name; empty: there is none.
std::string complaint(const std::string& name, const std::string& value) {
    const Settings settings = read(name, value);
    return settings.complaints.empty() ? "" : settings.complaints.front();
}

// Under Turkish locales ECHELON_BARRIER was unknown.
TEST(Settings, have_the_same_names_under_each_locale) {
    const volatile int small = 'i';  // volatile: the compiler knows the capital of a constant
    ASSERT_EQ(std::toupper(small), 0xdd);
    const Settings settings = read("ECHELON_BARRIER", "dissemination");
    EXPECT_THAT(settings.complaints, IsEmpty());
    EXPECT_TRUE(settings.recipes.contains(Collective::barrier));
}

TEST(Settings, of_the_trace_are_a_file_and_filters_in_any_order) {
    const std::string file = "trace.%r.json";
    for (const std::string filters :
         {",bytes=4K-64K,calls=100-200", ",calls=100-200,bytes=4K-64K", ", calls=100-200 , bytes=4K-64K"}) {
        const Settings settings = read("ECHELON_TRACE", file + filters);
        EXPECT_THAT(settings.complaints, IsEmpty()) << filters;
        EXPECT_EQ(settings.trace.file, file);
        EXPECT_EQ(settings.trace.bytes, (ByteRange{4096, 65536}));
        EXPECT_EQ(settings.trace.first, 100u);
        EXPECT_EQ(settings.trace.last, 200u);
    }
    const TraceRequest all = read("ECHELON_TRACE", "a=b.json").trace;
    EXPECT_EQ(all.file, "a=b.json");
    EXPECT_EQ(all.bytes, ByteRange{});
    EXPECT_EQ(all.first, 1u);
    const TraceRequest open = read("ECHELON_TRACE", "t,bytes=1M-,calls=7-").trace;
    EXPECT_EQ(open.bytes, (ByteRange{.from = 1 << 20}));
    EXPECT_EQ(open.first, 7u);
    EXPECT_EQ(open.last, TraceRequest{}.last);
}

TEST(Settings, with_a_wrong_filter_make_no_trace_and_show_the_form) {
    const std::string form = "; the form is FILE[,bytes=4K-64K][,calls=100-200]";
    const auto wrong = [&](const std::string& value, const std::string& sentence) {
        const Settings settings = read("ECHELON_TRACE", value);
        EXPECT_THAT(settings.complaints, ElementsAre("ECHELON_TRACE is not used: " + sentence + form));
        EXPECT_EQ(settings.trace.file, "");
    };
    wrong("t,byte=4K-", "'byte=4K-' is unknown");
    wrong("t,4K-64K", "'4K-64K' is unknown");
    wrong("t,bytes=4K", "sizes '4K': expected a range such as 0-4K, or 4K- without an upper end");
    wrong("t,bytes=64K-4K", "sizes '64K-4K': the end is below the beginning");
    wrong("t,calls=100", "'100' is no range of calls, such as 100-200, or 100- without an end");
    wrong("t,calls=0-5", "'0-5' begins at 0; calls are counted from 1");
    wrong("t,calls=7-5", "'7-5' has no calls: its end is before its beginning");
    wrong("t,calls=5-x", "'x' is not a whole number from 0 on");
    wrong("bytes=4K-64K", "'bytes=4K-64K' names no file");
}

TEST(Settings, of_the_place_are_a_site_and_a_switch) {
    for (const std::string value : {"site=a,switch=s1", "switch=s1,site=a"}) {
        const Settings settings = read("ECHELON_PLACE", value);
        EXPECT_EQ(settings.site, "a");
        EXPECT_EQ(settings.leaf_switch, "s1");
    }
    const Settings site = read("ECHELON_PLACE", "site=a"), leaf_switch = read("ECHELON_PLACE", "switch=s=1");
    EXPECT_EQ(site.site, "a");
    EXPECT_EQ(site.leaf_switch, "");
    EXPECT_EQ(leaf_switch.leaf_switch, "s=1");
    for (const auto& [value, sentence] : {std::pair("rack7", "'rack7' is unknown"),
                                          {"sites=a", "'sites=a' is unknown"},
                                          {"site=", "a name is empty"}})
        EXPECT_EQ(complaint("ECHELON_PLACE", value),
                  "ECHELON_PLACE is not used: " + std::string(sentence) +
                      "; the form is site=NAME,switch=NAME, or one of them");
    // Ranks may have different places.
    EXPECT_EQ(site.fingerprint(), leaf_switch.fingerprint());
}

TEST(Settings, of_shared_memory_are_its_size_and_the_size_of_direct_reads) {
    const auto expect = [](const std::string& value, Bytes window, Bytes expose_from) {
        const Settings settings = read("ECHELON_WINDOW", value);
        EXPECT_THAT(settings.complaints, IsEmpty()) << value;
        EXPECT_EQ(settings.window, window) << value;
        EXPECT_EQ(settings.expose_from, expose_from) << value;
    };
    const Settings usual;
    expect("8M", 8 << 20, usual.expose_from);
    expect("0", 0, usual.expose_from);
    expect("8M,read=256K", 8 << 20, 256 << 10);
    expect("8M,read=off", 8 << 20, WindowShape::never);
    expect("read=1K", usual.window, 1 << 10);
    EXPECT_EQ(complaint("ECHELON_WINDOW", "8M,reed=off"),
              "ECHELON_WINDOW is not used: 'reed=off' is unknown; the form is 8M,read=256K, or one of them; "
              "read=off reads nothing directly");
    EXPECT_EQ(read("ECHELON_WINDOW", "8M,read=x").window, usual.window) << "a wrong part spoils the rest";
}

TEST(Settings, that_were_removed_name_their_present_form) {
    EXPECT_EQ(complaint("ECHELON_TRACE_BYTES", "4K-"),
              "ECHELON_TRACE_BYTES is unknown; write ECHELON_TRACE=FILE,bytes=4K-64K");
    for (const std::string name :
         {"CALIBRATION", "HELP", "LAUNCHERS", "SINGLE_COPY", "SITE", "SWITCH", "TRACE_CALLS"}) {
        const std::string sentence = complaint("ECHELON_" + name, "1");
        EXPECT_TRUE(sentence.starts_with("ECHELON_" + name + " is unknown; ")) << sentence;
        EXPECT_EQ(sentence.find("did you mean"), std::string::npos) << sentence;
    }
    EXPECT_EQ(complaint("ECHELON_TRIAL", "1"), "ECHELON_TRIAL is unknown; did you mean ECHELON_TRIALS?");
}

TEST(Settings, are_few) { EXPECT_LE(settings_table().size(), 27u); }

}  // namespace
}  // namespace echelon
