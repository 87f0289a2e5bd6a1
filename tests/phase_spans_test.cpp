// SPDX-License-Identifier: Apache-2.0
// Phases of a recorded schedule, and their times in a replay.
#include "estimators/simulator/phase_bars.hpp"
#include "estimators/simulator/simulator.hpp"
#include "hier/recorded_team.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace echelon {
namespace {

using ::testing::ElementsAre;

const Machine machine = uniform_machine(Hockney{1e-6, 1e-9}, 1e-9);

/// A recorded allreduce of 4-byte elements.
struct Recorded {
    Recorded(const char* recipe, const char* nodes, std::size_t count = 1024)
        : placement(placements(nodes)),
          schedule(record(Recipe::parse(recipe), call(count), placement, {}, &phases)) {}
    static Call call(std::size_t count) {
        return {.collective = Collective::allreduce, .count = count, .element_size = 4};
    }

    /// Phases of a rank, like "reduce binomial, 4096 bytes, ranks 0-1".
    std::vector<std::string> of_rank(int rank) const {
        std::vector<std::string> made;
        for (const PhaseSpan& span : phases.spans)
            if (span.rank == rank)
                made.push_back(phases.names[span.name].phase + ", " + std::to_string(span.bytes) +
                               " bytes, ranks " +
                               ranks_text(schedule.ranks[std::size_t(rank)].links[span.link].members));
        return made;
    }

    PhaseSpans phases;
    Placement placement;
    Schedule schedule;
};

TEST(PhaseSpans, name_each_phase_of_each_rank_with_its_bytes_and_its_group) {
    const Recorded lanes("lanes(node, ring, recursive_doubling)", "a a b b");
    EXPECT_THAT(lanes.of_rank(0), ElementsAre("reduce_scatter ring, 4096 bytes, ranks 0-1",
                                              "allreduce recursive_doubling, 2048 bytes, ranks 0, 2",
                                              "allgather ring, 4096 bytes, ranks 0-1"));
    EXPECT_THAT(lanes.of_rank(3), ElementsAre("reduce_scatter ring, 4096 bytes, ranks 2-3",
                                              "allreduce recursive_doubling, 2048 bytes, ranks 1, 3",
                                              "allgather ring, 4096 bytes, ranks 2-3"));
    // Ranks that are not leaders take no part between the groups.
    const Recorded leaders("leaders(node, chain(seg=1K)+binomial, ring)", "a b a b");
    EXPECT_THAT(leaders.of_rank(1),
                ElementsAre("reduce chain, 4096 bytes, ranks 1, 3", "allreduce ring, 4096 bytes, ranks 0-1",
                            "bcast binomial, 4096 bytes, ranks 1, 3"));
    EXPECT_THAT(leaders.of_rank(2), ElementsAre("reduce chain, 4096 bytes, ranks 0, 2",
                                                "bcast binomial, 4096 bytes, ranks 0, 2"));
    EXPECT_EQ(leaders.phases.names.front().recipe, "chain(seg=1K)");
    // A flat recipe is the call itself.
    EXPECT_TRUE(Recorded("ring", "a a b b").phases.spans.empty());
}

TEST(PhaseSpans, cover_the_program_and_change_nothing_of_it) {
    for (const char* const recipe :
         {"lanes(node, ring, recursive_doubling)", "leaders(node, binomial, ring)",
          "positions(node, rabenseifner, ring)", "leaders(node, chain, ring, seg=1K)"}) {
        const Recorded noted(recipe, "a a a b b b");
        const Schedule plain = record(Recipe::parse(recipe), Recorded::call(1024), noted.placement);
        Timeline timeline;
        EXPECT_EQ(simulate(noted.schedule, machine, &timeline).finish, simulate(plain, machine).finish)
            << recipe;
        std::vector<std::size_t> covered(noted.schedule.ranks.size(), 0);
        for (const PhaseSpan& span : noted.phases.spans)
            covered[std::size_t(span.rank)] += span.end - span.begin;
        for (std::size_t rank = 0; rank < covered.size(); ++rank) {
            EXPECT_EQ(noted.schedule.ranks[rank].strands, plain.ranks[rank].strands) << recipe;
            std::size_t steps = 0;
            for (const Program::Strand& strand : plain.ranks[rank].strands)
                steps += std::size_t(std::count_if(strand.begin(), strand.end(), [](const Step& step) {
                    return step.kind != Step::Kind::mark && step.kind != Step::Kind::await;
                }));
            EXPECT_EQ(covered[rank], steps) << recipe << ", rank " << rank;
        }
    }
}

TEST(PhaseSpans, of_a_pipelined_recipe_are_those_of_its_segments) {
    const Recorded pipelined("leaders(node, binomial, ring, seg=1K)", "a a b b");
    std::map<std::pair<std::size_t, std::string>, int> found;
    for (const PhaseSpan& span : pipelined.phases.spans) {
        EXPECT_EQ(span.bytes, 1024u);
        if (span.rank == 0) ++found[{span.strand, pipelined.phases.names[span.name].phase}];
    }
    EXPECT_EQ(found,
              (std::map<std::pair<std::size_t, std::string>, int>{
                  {{0, "reduce binomial"}, 4}, {{1, "allreduce ring"}, 4}, {{2, "bcast binomial"}, 4}}));
}

TEST(PhaseSpans, lie_within_those_that_enclose_them) {
    const Recorded nested("leaders(node, leaders(G=2, binomial, chain), ring)", "a a a a b b b b");
    Timeline timeline;
    simulate(nested.schedule, machine, &timeline);
    const auto bars = phase_bars(nested.phases, nested.schedule, timeline);
    int enclosed = 0;
    for (const PhaseBar& bar : bars) {
        if (bar.depth == 0) continue;
        ++enclosed;
        EXPECT_EQ(bar.depth, 1);
        EXPECT_TRUE(std::any_of(bars.begin(), bars.end(), [&](const PhaseBar& around) {
            return around.rank == bar.rank && around.depth == 0 && around.begin <= bar.begin &&
                   bar.end <= around.end && around.ranks == 4 && bar.ranks == 2;
        })) << nested.phases.names[bar.name].phase;
    }
    EXPECT_GT(enclosed, 8);
}

TEST(PhaseBars, follow_one_another_and_enclose_their_messages) {
    const Recorded lanes("lanes(node, ring, recursive_doubling)", "a a a a b b b b c c c c d d d d");
    Timeline timeline;
    const Replayed replayed = simulate(lanes.schedule, machine, &timeline);
    const auto bars = phase_bars(lanes.phases, lanes.schedule, timeline);
    ASSERT_EQ(bars.size(), 3u * 16);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        EXPECT_LT(bars[i].begin, bars[i].end);
        EXPECT_EQ(bars[i].begin, i % 3 == 0 ? 0 : bars[i - 1].end);
        if (i % 3 == 2) {
            EXPECT_EQ(bars[i].end, replayed.finish[std::size_t(bars[i].rank)]);
        }
    }
    ASSERT_FALSE(timeline.intervals.empty());
    for (const Interval& interval : timeline.intervals) {
        const auto around = std::find_if(bars.begin(), bars.end(), [&](const PhaseBar& bar) {
            return bar.rank == interval.rank && bar.begin <= interval.begin && interval.end <= bar.end;
        });
        ASSERT_NE(around, bars.end()) << "rank " << interval.rank;
        // Inner phases communicate inside a node only, and the outer phase between nodes only.
        const bool outer = lanes.phases.names[around->name].phase == "allreduce recursive_doubling";
        if (interval.peer != interval.rank) {
            EXPECT_EQ(interval.peer / 4 != interval.rank / 4, outer) << "rank " << interval.rank;
        }
    }
}

TEST(PhaseBars, say_which_ranks_a_group_has) {
    EXPECT_EQ(ranks_text(std::vector{5}), "5");
    EXPECT_EQ(ranks_text(std::vector{0, 1, 2, 3}), "0-3");
    EXPECT_EQ(ranks_text(std::vector{0, 1, 4, 6, 7}), "0-1, 4, 6-7");
    EXPECT_EQ(ranks_text(std::vector{0, 2, 4, 6, 8, 10, 12, 14}), "0, 2, 4, 6, 8, 10, 12, 14");
    EXPECT_EQ(ranks_text(std::vector{0, 2, 4, 6, 8, 10, 12, 14, 16}), "0, 2, 4, 6, ..., 16");
}

}  // namespace
}  // namespace echelon
