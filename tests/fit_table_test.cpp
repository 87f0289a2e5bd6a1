// SPDX-License-Identifier: Apache-2.0
// Machine parameters fitted from a table of collective times alone: tables of machines with known parameters,
// and wrong tables.
#include "core/error.hpp"
#include "core/file.hpp"
#include "estimators/choice/decide.hpp"
#include "estimators/fit/fit_samples.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "estimators/fit/library_names.hpp"
#include "estimators/fit/measured_table.hpp"
#include "estimators/price/recipe_time.hpp"
#include "estimators/profile/built_in_machine.hpp"
#include "flat/algorithm.hpp"
#include "groups/layout.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace echelon {
namespace {

using testing::HasSubstr;

/// Table of replayed times of flat algorithms on `machine`.
std::string table_of(const Machine& machine, std::initializer_list<const char*> layouts) {
    std::ostringstream table;
    table << "Collective,Ranks,Nodes,Bytes,Algorithm,median_us\n";
    table.precision(12);
    for (const char* const layout : layouts) {
        const Placement placement = placement_of_layout(layout);
        Replay replay(machine, placement);
        const auto add = [&](Collective collective, const char* algorithm) {
            for (const Bytes bytes : {64, 4096, 65536, 1 << 20}) {
                const auto recipe = recipe_called(collective, algorithm);
                const auto time = replay(recipe.value(), collective, bytes, {});
                table << name(collective) << ',' << placement.size() << ',' << placement.node_count() << ','
                      << bytes << ',' << algorithm << ',' << 1e6 * time.value() << '\n';
            }
        };
        add(Collective::allreduce, "ring_ompi");
        add(Collective::allreduce, "recursive_doubling");
        add(Collective::allreduce, "reduce_scatter_allgather");
        add(Collective::bcast, "binomial");
        add(Collective::bcast, "basic_linear");
        add(Collective::allgather, "recursive_doubling_mpich");
    }
    return table.str();
}

Parameters fitted(const std::string& table) { return fit_samples(samples_of(read_table(table)).samples); }

Machine slow_machine() {
    Machine machine = built_in_machine();
    const auto protocol = [](Seconds latency, BytesPerSecond rate) {
        return Protocol{.one_way = {{{0, {latency, 1 / rate}}}},
                        .send_overhead = Table::constant(latency / 10),
                        .receive_overhead = Table::constant(latency / 10)};
    };
    machine.between = protocol(4e-5, 1.2e8);
    machine.inside = protocol(2e-6, 3e9);
    machine.card = 1.2e8;
    machine.gamma = 1e-9;
    return machine;
}

TEST(FitTable, finds_the_machine_behind_collective_times) {
    const Machine machine = slow_machine();
    const Parameters found = fitted(table_of(machine, {"16x1", "7x1"}));
    for (const double bytes : {8.0, 65536.0, 1048576.0})
        EXPECT_NEAR(message_time(found.machine.between, bytes) / message_time(machine.between, bytes), 1, 0.1)
            << bytes;
    EXPECT_NEAR(found.machine.gamma / machine.gamma, 1, 0.2);
    EXPECT_LT(found.residual, 0.02);
}

TEST(FitTable, finds_what_lies_inside_of_nodes_too) {
    const Machine machine = slow_machine();
    const Parameters found = fitted(table_of(machine, {"4x4", "8x1"}));
    EXPECT_NEAR(message_time(found.machine.between, 1 << 20) / message_time(machine.between, 1 << 20), 1,
                0.15);
    EXPECT_LT(found.residual, 0.05);
    EXPECT_LT(message_time(found.machine.inside, 8), message_time(found.machine.between, 8) / 3);
}

TEST(FitTable, is_not_moved_by_wild_times) {
    const Machine machine = slow_machine();
    std::istringstream lines(table_of(machine, {"16x1", "7x1"}));
    std::string wild, line;
    for (int i = 0; std::getline(lines, line); ++i)
        wild += line + (i % 7 == 3 ? "0" : "") + '\n';  // ten times as long
    const Parameters found = fitted(wild);
    EXPECT_NEAR(message_time(found.machine.between, 65536) / message_time(machine.between, 65536), 1, 0.15);
}

/// Eight nodes of four ranks over 20 Mbit/s and 5 ms (tests/data/README.md). Their calibration had missed the
/// shared cards.
TEST(FitTable, finds_a_real_network_and_its_cards) {
    const auto table = read_table(read_file(ECHELON_SOURCE_DIR "/tests/data/namespaces_8x4.csv"), 8, 4);
    const Parameters found = fit_samples(samples_of(table).samples);
    EXPECT_LT(found.residual, 0.06);
    EXPECT_NEAR(found.machine.card / 2.4e6, 1, 0.15);
    EXPECT_NEAR(message_time(found.machine.between, 8) / 5.3e-3, 1, 0.1);
}

TEST(FitTable, reads_names_of_libraries) {
    const auto row = [](Collective collective, const char* called) {
        const auto recipe = recipe_called(collective, called);
        return recipe ? to_string(*recipe) : "none";
    };
    EXPECT_EQ(row(Collective::allreduce, "rabenseifner_ompi"), "rabenseifner");
    EXPECT_EQ(row(Collective::bcast, "Split-Binary tree"), "split_binary");
    EXPECT_EQ(row(Collective::allgather, "k_bruck_over"), "circulant");
    EXPECT_EQ(row(Collective::reduce_scatter, "default_ompi"), "native");
    EXPECT_EQ(row(Collective::allreduce, "leaders(node, binomial, ring)"), "leaders(node, binomial, ring)");
    EXPECT_EQ(row(Collective::allreduce, "chain"), "chain") << "in two halves, as the same recipe means";
    EXPECT_EQ(row(Collective::allreduce, "bine_lat_over"), "none");
    EXPECT_EQ(row(Collective::reduce_scatter, "binomial"), "none") << "a row, but not of this collective";
    for (const LibraryName& one : library_names())
        EXPECT_NE(find_algorithm(one.collective, one.row), nullptr) << one.name;
}

TEST(FitTable, keeps_the_fastest_implementation_and_says_what_it_left_out) {
    const TableSamples found = samples_of(read_table(
        "collective,nodes,ppn,bytes,recipe,us\n"
        "allreduce,4,2,1024,ring_ompi,30\nallreduce,4,2,1024,ring_over,20\nallreduce,4,2,1024,ring_over,22\n"
        "allreduce,4,2,1024,bine_lat_over,10\nallreduce,4,2,1024,\"lanes(node, ring, ring)\",12\n"));
    ASSERT_EQ(found.samples.size(), 2u);
    EXPECT_EQ(found.samples[1].recipe, Recipe::parse("ring"));
    EXPECT_DOUBLE_EQ(found.samples[1].seconds, 21e-6) << "the median of two runs is between them";
    EXPECT_EQ(found.samples[1].p, 8);
    EXPECT_EQ(found.samples[1].layout, "4x2");
    ASSERT_EQ(found.left_out.size(), 1u);
    EXPECT_EQ(found.left_out[0].algorithm, "bine_lat_over");
}

std::string sentence_of(const std::string& table) {
    return refusal([&] { return fitted(table); });
}

TEST(FitTable, a_wrong_table_gets_one_clear_sentence) {
    const std::string header = "collective,nodes,ranks_per_node,ranks,bytes,algorithm,seconds\n";
    EXPECT_THAT(sentence_of(""), HasSubstr("the first line must name a column collective"));
    EXPECT_THAT(sentence_of("collective,bytes,algorithm,seconds\nbcast,8,ring,1\n"),
                HasSubstr("ranks_per_node"));
    EXPECT_THAT(sentence_of(header), HasSubstr("no lines below the first"));
    EXPECT_THAT(sentence_of(header + "broadcast,2,2,4,8,ring,1\n"),
                HasSubstr("line 2: 'broadcast' is no collective"));
    EXPECT_THAT(sentence_of(header + "bcast,2,2,4,8,ring,1\nbcast,2,2,4,8,ring,-1\n"),
                HasSubstr("line 3: '-1' is no time above 0"));
    EXPECT_THAT(sentence_of(header + "bcast,2,2,5,8,ring,1\n"),
                HasSubstr("5 ranks are not 2 nodes of 2 ranks"));
    EXPECT_THAT(sentence_of(header + "bcast,2,2\n"), HasSubstr("line 2: it has 3 fields"));
    EXPECT_THAT(sentence_of(header + "bcast,2,2,4,8,ring,1\n"), HasSubstr("8 measured times"));
}

/// The ring takes three times its replay on 16 ranks, and once on 4: the 16 correct its price on 32 ranks.
TEST(FitTable, what_was_measured_at_the_nearest_scale_corrects) {
    Profile profile{.parameters = Parameters{.machine = built_in_machine()}};
    for (const int p : {4, 16}) {
        const std::string layout = std::to_string(p) + "x1";
        Replay replay(built_in_machine(), placement_of_layout(layout));
        const Recipe ring = Recipe::parse("ring");
        const Seconds time = replay(ring, Collective::allreduce, 65536, {}).value();
        profile.samples.push_back(
            {Collective::allreduce, p, layout, 65536, ring, (p == 4 ? 1 : 3) * time, 0});
    }
    learn_corrections(profile);
    Decider decider(std::make_shared<const Profile>(profile), placement_of_layout("32x1"));
    const Recipe ring = Recipe::parse("ring");
    const Seconds model = decider.predicted(ring, Collective::allreduce, 65536, {}).value();
    EXPECT_NEAR(decider.expected(ring, Collective::allreduce, 65536, {}) / model, 3, 1e-6);
}

/// Corrections of sums of phases overruled correct replays: a sum ignores overlap.
TEST(FitTable, a_correction_is_of_the_replay_of_the_whole) {
    const Recipe recipe = Recipe::parse("leaders(node, binomial, ring, seg=16K)");
    const auto summed = [&](const char* layout) {
        const Placement placement = placement_of_layout(layout);
        const Machine machine = seated(built_in_machine(), placement);
        const Contention contention(placement);
        return RecipeTimes(machine, contention)(recipe, Collective::allreduce, 262144, {}).value();
    };
    const auto replayed = [&](const char* layout) {
        Replay replay(built_in_machine(), placement_of_layout(layout));
        return replay(recipe, Collective::allreduce, 262144, {}).value();
    };
    Profile profile{.parameters = Parameters{.machine = built_in_machine()}};
    profile.samples.push_back({Collective::allreduce, 32, "8x4", 262144, recipe, 3 * replayed("8x4"), 0});
    learn_corrections(profile);
    Decider decider(std::make_shared<const Profile>(profile), placement_of_layout("16x4"));
    EXPECT_NEAR(decider.expected(recipe, Collective::allreduce, 262144, {}) / replayed("16x4"), 3, 1e-6);
    EXPECT_GT(std::abs(replayed("16x4") / summed("16x4") - replayed("8x4") / summed("8x4")), 1e-3)
        << "else this shows nothing";
}

}  // namespace
}  // namespace echelon
