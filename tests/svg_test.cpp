// SPDX-License-Identifier: Apache-2.0
#include "estimators/simulator/svg.hpp"

#include "estimators/network/readable.hpp"

#include "estimators/simulator/simulator.hpp"
#include "support/proof.hpp"

#include <gmock/gmock.h>

#include <regex>

namespace echelon {
namespace {

using ::testing::HasSubstr;

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
}

Timeline timeline_of(const char* row, int p, std::size_t elements) {
    Timeline timeline;
    simulate(record(proof_case(*find_algorithm(Collective::allreduce, row), p, elements)),
             uniform_machine(Hockney{1e-6, 1e-9}, 1e-9), &timeline);
    return timeline;
}

TEST(Svg, has_a_lane_for_each_rank_and_an_arrow_for_each_message) {
    const std::string svg = to_svg(timeline_of("recursive_doubling", 4, 100), 4);
    for (int rank = 0; rank < 4; ++rank)
        EXPECT_THAT(svg, HasSubstr(">rank " + std::to_string(rank) + "</text>"));
    EXPECT_EQ(count(svg, ">rank "), 4u);
    EXPECT_EQ(count(svg, "class=\"send\""), 8u);
    EXPECT_EQ(count(svg, "class=\"receive\""), 8u);
    EXPECT_EQ(count(svg, "class=\"reduce\""), 8u);
    EXPECT_EQ(count(svg, "class=\"message\""), 8u);
    EXPECT_THAT(svg, HasSubstr("send 800 bytes to rank 1, 0 to 1.8 us"));
}

TEST(Svg, draws_time_to_scale) {
    const Timeline timeline{{{0, Interval::Activity::reduce, 1e-6, 3e-6, 0, 8, 0},
                             {1, Interval::Activity::copy, 3e-6, 4e-6, 1, 8, 0}}};
    const std::string svg = to_svg(timeline, 2, {.title = {}, .width = 480});
    const std::regex bar("class=\"(reduce|copy)\" x=\"([0-9.]+)\" y=\"[0-9.]+\" width=\"([0-9.]+)\"");
    std::vector<double> x, width;
    for (std::sregex_iterator it(svg.begin(), svg.end(), bar), end; it != end; ++it) {
        x.push_back(std::stod((*it)[2]));
        width.push_back(std::stod((*it)[3]));
    }
    EXPECT_EQ(x, (std::vector<double>{64 + 100, 64 + 300}));
    EXPECT_EQ(width, (std::vector<double>{200, 100}));
}

TEST(Svg, closes_what_it_opens) {
    const std::string svg = to_svg(timeline_of("ring", 5, 15), 5, {.title = "a <b> & \"c\""});
    EXPECT_THAT(svg, HasSubstr("a &lt;b> &amp; &quot;c&quot;"));
    const std::regex opening("<(svg|text|title|defs|marker)[ >]"), closing("</(svg|text|title|defs|marker)>");
    const auto number = [&](const std::regex& tag) {
        return std::distance(std::sregex_iterator(svg.begin(), svg.end(), tag), std::sregex_iterator());
    };
    EXPECT_GT(number(opening), 10);
    EXPECT_EQ(number(opening), number(closing));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

/// Two phases on four ranks in two groups, the second on two of them.
Drawing drawing_of_phases() {
    const auto bar = [](int rank, std::uint32_t name, std::size_t strand, const char* members, Seconds begin,
                        Seconds end) {
        return PhaseBar{.rank = rank,
                        .name = name,
                        .strand = strand,
                        .depth = 0,
                        .bytes = 64,
                        .ranks = 2,
                        .members = members,
                        .begin = begin,
                        .end = end};
    };
    return {.width = 960,
            .phases = {bar(0, 0, 0, "0-1", 0, 1e-6), bar(1, 0, 0, "0-1", 0, 1e-6),
                       bar(2, 0, 0, "2-3", 0, 1e-6), bar(3, 0, 0, "2-3", 0, 1e-6),
                       bar(0, 1, 0, "0, 2", 1e-6, 4e-6), bar(2, 1, 0, "0, 2", 1e-6, 4e-6)},
            .names = {{"reduce ring", "ring"}, {"allreduce <ring>", "ring"}},
            .groups = {0, 0, 1, 1}};
}

TEST(Svg, has_a_band_for_each_phase_and_a_bracket_for_each_group) {
    const Timeline timeline{{{0, Interval::Activity::reduce, 0, 4e-6, 0, 8, 0}}};
    const std::string svg = to_svg(timeline, 4, drawing_of_phases());
    EXPECT_EQ(count(svg, "class=\"phase\""), 6u);
    EXPECT_EQ(count(svg, "<title>reduce ring of 64 bytes, ranks 0-1, 0 to 1 us</title>"), 2u);
    EXPECT_EQ(count(svg, "<title>allreduce &lt;ring> of 64 bytes, ranks 0, 2, 1 us to 4 us</title>"), 2u);
    // A band shows number and name, which makes colours unnecessary. The legend shows both.
    EXPECT_EQ(count(svg, ">1 reduce ring</text>"), 4u);
    EXPECT_EQ(count(svg, ">2 allreduce &lt;ring></text>"), 2u);
    EXPECT_EQ(count(svg, ">1</text>"), 1u);
    EXPECT_EQ(count(svg, ">reduce ring</text>"), 1u);
    EXPECT_EQ(count(svg, "class=\"group\""), 2u);
    EXPECT_THAT(svg, HasSubstr(">group 0</text>"));
    EXPECT_THAT(svg, HasSubstr(">group 1</text>"));
    // Time begins where the names end: 128 to 944 are 4 us.
    EXPECT_THAT(svg, HasSubstr("class=\"phase\" x=\"332.00\" y=\"73.0\" width=\"612.00\""));
}

TEST(Svg, draws_phases_side_by_side_where_they_are_pipelined_and_groups_that_are_apart) {
    const Timeline timeline{{{0, Interval::Activity::reduce, 0, 4e-6, 0, 8, 0}}};
    const auto height = [&](const Drawing& drawing) {
        const std::string svg = to_svg(timeline, 4, drawing), word = "height=\"";
        return std::stod(svg.substr(svg.find(word) + word.size()));
    };
    Drawing drawing = drawing_of_phases();
    const double plain = height({}), one_band = height(drawing);
    EXPECT_EQ(one_band - plain, 4 * 10 + 16);  // a band for each rank, and a line of the legend
    drawing.phases.back().strand = 1;
    EXPECT_EQ(height(drawing) - one_band, 4 * 10);
    drawing.groups = {0, 1, 0, 0};
    const std::string svg = to_svg(timeline, 4, drawing);
    EXPECT_EQ(count(svg, "class=\"group\""), 3u);
    EXPECT_EQ(count(svg, ">group 0</text>"), 2u);
}

TEST(Svg, says_where_its_times_are_from_and_is_dark_for_who_has_it_dark) {
    const std::string svg =
        to_svg(timeline_of("ring", 3, 3), 3, {.title = {}, .origin = "simulated under <a>"});
    EXPECT_THAT(svg, HasSubstr(">simulated under &lt;a></text>"));
    EXPECT_THAT(to_svg({}, 3), HasSubstr(">simulated</text>"));
    EXPECT_THAT(svg, HasSubstr("@media (prefers-color-scheme:dark){svg{fill:"));
    EXPECT_EQ(svg.find("white"), std::string::npos) << "paper that stays light";
}

TEST(Svg, draws_nothing_too) { EXPECT_THAT(to_svg({}, 3), HasSubstr("rank 2")); }

TEST(Svg, gives_times_a_unit) {
    EXPECT_EQ(readable(0), "0");
    EXPECT_EQ(readable(1.25e-6), "1.25 us");
    EXPECT_EQ(readable(999e-9), "999 ns");
    EXPECT_EQ(readable(0.0125), "12.5 ms");
    EXPECT_EQ(readable(3), "3 s");
    EXPECT_EQ(readable(Network(Hockney{2e-6, 1e-10})), "2 us, 10 GB/s");
    EXPECT_EQ(readable(Network(Hockney{0.0125, 8e-10})), "12.5 ms, 1250 MB/s");
    EXPECT_EQ(readable(Network(Hockney{1e-6, 0})), "1 us, bytes cost nothing");
    EXPECT_EQ(readable(1e-6), "1 us");
}

}  // namespace
}  // namespace echelon
