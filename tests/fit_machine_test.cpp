// SPDX-License-Identifier: Apache-2.0
// Parameters that a calibration learns, on machines whose true parameters are known.
#include "estimators/fit/fit_machine.hpp"
#include "core/error.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "estimators/fit/sample_times.hpp"
#include "estimators/profile/samples.hpp"
#include "groups/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace echelon {
namespace {

/// Times with noise of 3 %; every tenth is three times too long.
class Noisy {
public:
    Seconds operator()(Seconds time) {
        const double outlier = ++count_ % 10 == 0 ? 3 : 1;
        return time * outlier * std::exp(noise_(engine_));
    }

private:
    std::mt19937 engine_{1};
    std::normal_distribution<double> noise_{0, 0.03};
    int count_ = 0;
};

MachineSamples samples_of(const Hockney& inside, const Hockney& between, double card, double gamma) {
    Noisy noisy;
    MachineSamples samples;
    for (Bytes bytes = 1; bytes <= Bytes(4) << 20; bytes *= 2) {
        samples.inside.push_back({bytes, 1, noisy(inside.time(double(bytes)))});
        samples.between.push_back({bytes, 1, noisy(between.time(double(bytes)))});
    }
    for (const int pairs : {1, 2, 4, 8})
        for (const Bytes bytes : {65536, 262144, 1 << 20}) {
            const double each = std::max(between.beta, pairs / card);
            samples.card.push_back({bytes, pairs, noisy(between.alpha + double(bytes) * each)});
        }
    for (const Bytes bytes : {4096, 65536, 262144, 1 << 20})
        samples.combining.push_back({bytes, noisy(1e-7 + double(bytes) * gamma)});
    return samples;
}

TEST(FitMachine, finds_the_machine_behind_noisy_samples) {
    const Hockney inside{5e-7, 2.5e-10}, between{2e-5, 8e-10};
    const Parameters found = fit_machine(samples_of(inside, between, 2e9, 3e-10));
    for (const double bytes : {1.0, 1024.0, 65536.0, 1048576.0}) {
        EXPECT_NEAR(message_time(found.machine.inside, bytes) / inside.time(bytes), 1, 0.1) << bytes;
        EXPECT_NEAR(message_time(found.machine.between, bytes) / between.time(bytes), 1, 0.1) << bytes;
    }
    EXPECT_NEAR(found.machine.card / 2e9, 1, 0.1);
    EXPECT_NEAR(found.machine.gamma / 3e-10, 1, 0.1);
    EXPECT_EQ(found.machine.memory, unlimited) << "it was not measured";
    EXPECT_TRUE(found.inside_is_measured && found.between_is_measured);
    MachineSamples one_node = samples_of(inside, between, 2e9, 3e-10), one_each = one_node;
    one_node.between.clear();
    one_each.inside.clear();
    EXPECT_FALSE(fit_machine(one_node).between_is_measured);
    EXPECT_FALSE(fit_machine(one_each).inside_is_measured);
    // A calibration on one node discarded the measurements between nodes, and the other way round.
    EXPECT_EQ(with_known(fit_machine(one_node), found).machine.between, found.machine.between);
    EXPECT_EQ(with_known(fit_machine(one_node), found).machine.card, found.machine.card);
    EXPECT_TRUE(with_known(fit_machine(one_node), found).between_is_measured);
    EXPECT_EQ(with_known(fit_machine(one_each), found).machine.inside, found.machine.inside);
    EXPECT_FALSE(with_known(fit_machine(one_node), std::nullopt).between_is_measured);
    EXPECT_EQ(with_known(found, fit_machine(one_node)), found);
    EXPECT_LT(found.inside_residual, 0.08);
}

TEST(FitMachine, keeps_what_work_takes_of_as_many_ranks_as_are_at_it) {
    MachineSamples samples = samples_of({5e-7, 2.5e-10}, {2e-5, 8e-10}, 2e9, 3e-10);
    EXPECT_EQ(fit_machine(samples).machine.at_work, AtWork());
    constexpr Bytes bytes = Bytes(1) << 20;
    const auto sample = [&](const WorkAtOnce& one) {
        samples.at_once.push_back({bytes, one.ranks, double(bytes) * one.combine, double(bytes) * one.copy});
    };
    const AtWork curve{{1, 1e-10, 2e-10}, {2, 1.5e-10, 2e-10}, {4, 2e-10, 3e-10}};
    sample(curve[0]);
    EXPECT_EQ(fit_machine(samples).machine.at_work, AtWork()) << "one number is no curve";
    sample(curve[2]);
    sample(curve[1]);
    AtWork found = fit_machine(samples).machine.at_work;
    ASSERT_EQ(found.size(), curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        EXPECT_EQ(found[i].ranks, curve[i].ranks);
        EXPECT_NEAR(found[i].copy, curve[i].copy, 1e-16);
        EXPECT_NEAR(found[i].combine, curve[i].combine, 1e-16);
    }
    EXPECT_NEAR(share_of_crowd(found, &WorkAtOnce::copy, 1), 0.5, 1e-9);
    EXPECT_NEAR(share_of_crowd(found, &WorkAtOnce::copy, 3), 0.875, 1e-9);
    EXPECT_EQ(share_of_crowd(found, &WorkAtOnce::combine, 9), 1);
    // A disturbed measurement, and a clock that stands still.
    sample({8, 1.9e-10, 4e-10});
    found = fit_machine(samples).machine.at_work;
    EXPECT_EQ(found.back().copy, found[2].copy);
    EXPECT_NEAR(found.back().combine, 4e-10, 1e-16);
    for (auto& one : samples.at_once) one.copying = 0;
    EXPECT_EQ(fit_machine(samples).machine.at_work, AtWork());
}

TEST(FitMachine, has_levels_where_nodes_are_on_several_switches_and_sites) {
    const Hockney between{2e-5, 8e-10}, beyond{1e-3, 4e-9};
    MachineSamples samples = samples_of({5e-7, 2.5e-10}, between, 2e9, 3e-10);
    EXPECT_TRUE(fit_machine(samples).machine.beyond.empty());
    const Hockney of_switches{3e-5, 16e-10};
    for (const auto& [level, line] : {std::pair(Level::leaf_switch, of_switches), {Level::site, beyond}}) {
        auto& one = samples.beyond.emplace_back();
        one.level = level;
        for (Bytes bytes = 1; bytes <= Bytes(4) << 20; bytes *= 2)
            one.messages.push_back({bytes, 1, line.time(double(bytes))});
        for (const int pairs : {1, 4})
            one.uplink.push_back({1 << 20, pairs, line.alpha + pairs * double(1 << 20) * line.beta});
    }
    const Machine found = fit_machine(samples).machine;
    ASSERT_EQ(found.beyond.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const Hockney& line = i == 0 ? of_switches : beyond;
        EXPECT_EQ(found.beyond[i].level, i == 0 ? Level::leaf_switch : Level::site);
        EXPECT_NEAR(message_time(found.beyond[i].network, 65536) / line.time(65536), 1, 0.05);
        EXPECT_NEAR(found.beyond[i].uplink * line.beta, 1, 0.05) << "all messages share it";
        EXPECT_EQ(std::get<Protocol>(found.beyond[i].network).rendezvous_from,
                  std::get<Protocol>(found.between).rendezvous_from);
    }
    EXPECT_NEAR(message_time(found.between, 65536) / between.time(65536), 1, 0.1);
}

TEST(FitMachine, of_a_torus_knows_what_each_link_adds_and_carries) {
    const Hockney near{2e-5, 8e-10}, far{2.6e-5, 8e-10};
    MachineSamples samples = samples_of({5e-7, 2.5e-10}, near, 1 / near.beta, 3e-10);
    samples.hops = 2, samples.most_hops = 5;
    for (Bytes bytes = 1; bytes <= Bytes(4) << 20; bytes *= 2)
        samples.farthest.push_back({bytes, 1, far.time(double(bytes))});
    const Machine found = fit_machine(samples).machine;
    EXPECT_TRUE(found.beyond.empty());
    ASSERT_TRUE(found.torus);
    EXPECT_EQ(found.torus->hops, 2);
    EXPECT_NEAR(found.torus->hop, 2e-6, 2e-7);
    EXPECT_NEAR(found.torus->link * near.beta, 1, 0.1);
}

// The price of concurrent short messages was too high: one short message uses a third of a link's rate, and
// three side by side use all of it.
TEST(Protocol, carries_as_many_bytes_of_short_messages_as_of_long_ones) {
    const Protocol network{.one_way = {{{0, {45e-6, 24e-9}}, {256, {46e-6, 8e-9}}}}, .rendezvous_from = 0};
    EXPECT_NEAR(network.message(192).transfer, 192 * 24e-9, 1e-12);
    EXPECT_NEAR(network.message(192).port_share, 1 / 3.0, 1e-9);
    EXPECT_EQ(network.message(4096).port_share, 1);
    Protocol half = network;
    half.held = 0.5;
    EXPECT_NEAR(half.message(192).port_share, 1 / 6.0, 1e-9);
    EXPECT_NEAR(half.message(4096).port_share, 0.5, 1e-9);
}

// Messages inside a node are copied side by side: a broadcast to all at once was priced too high.
TEST(FitMachine, knows_how_long_a_message_holds_its_ports) {
    const Hockney line{2e-5, 8e-10};
    const auto held = [&](double share) {
        MachineSamples samples = samples_of(line, line, 2e9, 3e-10);
        for (const int peers : {1, 2, 4, 8})
            for (const Bytes bytes : {8, 131072})
                samples.inside_fan.push_back(
                    {bytes, peers,
                     line.time(double(bytes)) + (peers - 1) * (1e-7 + share * double(bytes) * line.beta)});
        return std::get<Protocol>(fit_machine(samples).machine.inside).held;
    };
    EXPECT_EQ(held(1), 1);
    EXPECT_NEAR(held(0.5), 0.5, 0.05);
    EXPECT_NEAR(held(0), 0, 0.02);
    EXPECT_EQ(std::get<Protocol>(fit_machine(samples_of(line, line, 2e9, 3e-10)).machine.inside).held, 1);
}

// A receive costs two to three sends on fast networks.
TEST(FitMachine, knows_the_processor_time_of_sends_and_of_receives) {
    const Hockney line{2e-5, 8e-10};
    MachineSamples samples = samples_of(line, line, 2e9, 3e-10);
    for (const Bytes bytes : {65536, 8, 8192})  // in any order
        samples.between_overheads.push_back(
            {bytes, bytes == 65536 ? 1e-6 : 1e-6 + double(bytes) * 1e-10, 3e-6 + double(bytes) * 2e-10});
    for (const int peers : {1, 2, 4, 8})
        samples.between_fan_in.push_back({8, peers, 2e-5 + (peers - 1) * 4e-6});
    for (const Bytes bytes : {8, 32768})  // waits from 32768 on
        for (const int peers : {1, 2})
            samples.between_turns.push_back(
                {bytes, peers,
                 line.time(double(bytes)) + (peers - 1) * (bytes == 8 ? 0 : line.time(double(bytes)))});
    const auto found = std::get<Protocol>(fit_machine(samples).machine.between);
    EXPECT_NEAR(found.send_overhead.at(8), 1e-6, 1e-8);
    EXPECT_NEAR(found.send_overhead.at(8192), 1.82e-6, 1e-8);
    EXPECT_NEAR(found.receive_overhead.at(8), 4e-6, 1e-8) << "each further message added as much";
    EXPECT_NEAR(found.receive_overhead.at(8192), 4.64e-6, 1e-8);
    EXPECT_EQ(found.receive_overhead.points().size(), 2u)
        << "long messages had not come before their receive";
    for (const Bytes bytes : {8, 8192, 65536, 1 << 20}) {
        const MessageCost cost = found.message(bytes);
        EXPECT_GE(cost.send_overhead, 1e-6) << "posting a longer message takes no less";
        EXPECT_NEAR(cost.send_overhead + cost.transfer + cost.latency + cost.receive_overhead,
                    found.time(double(bytes)), 1e-12);
    }
}

// Pairs on two nodes of a torus share one link of six.
TEST(FitMachine, a_card_carries_what_one_rank_sends_to_many) {
    const Hockney line{2e-5, 8e-10};
    MachineSamples samples = samples_of(line, line, 1 / line.beta, 3e-10);
    for (const int peers : {1, 2, 4, 8})
        for (const Bytes bytes : {8, 131072})
            samples.between_fan.push_back(
                {bytes, peers,
                 line.time(double(bytes)) + (peers - 1) * (1e-7 + double(bytes) * line.beta / 3)});
    EXPECT_NEAR(fit_machine(samples).machine.card * line.beta, 3, 0.2);
    samples.between_fan.clear();
    EXPECT_NEAR(fit_machine(samples).machine.card * line.beta, 1, 0.1);
}

// The rendezvous length was a constant: latencies of waiting senders were priced as overlapping.
TEST(FitMachine, knows_from_which_length_senders_wait) {
    const Hockney line{2e-5, 8e-10};
    const auto from = [&](Bytes waits_from) {
        MachineSamples samples = samples_of(line, line, 2e9, 3e-10);
        for (const Bytes bytes : {8, 1024, 4096, 8192, 16384, 32768, 65536}) {
            const Seconds one = line.time(double(bytes));
            const Seconds further = bytes < waits_from ? 1e-6 + double(bytes) * line.beta : one;
            samples.between_turns.push_back({bytes, 1, one * (bytes % 3 == 0 ? 1.02 : 0.99)});
            samples.between_turns.push_back({bytes, 2, one + further});
        }
        return std::get<Protocol>(fit_machine(samples).machine.between).rendezvous_from;
    };
    EXPECT_EQ(from(0), 0);
    EXPECT_EQ(from(4096), 4096);
    EXPECT_EQ(from(1 << 20), 65537) << "none that was measured waits";
}

// The processors' time was taken for a way that overlaps: short messages that travel late seemed eager.
TEST(FitMachine, knows_the_overheads_beside_the_way_of_a_message) {
    const Hockney wire{4e-6, 1e-10};
    const auto sending = [](Bytes bytes) { return bytes <= 4096 ? 1e-6 : bytes <= 8192 ? 2e-6 : 6e-6; };
    const auto receiving = [](Bytes bytes) { return bytes < 8192 ? 2e-6 : 8e-6; };
    const auto whole = [&](Bytes bytes) {
        return sending(bytes) + wire.time(double(bytes)) + receiving(bytes);
    };
    const auto found = [&](Bytes matched_from, Bytes waits_from) {
        MachineSamples samples = samples_of(wire, wire, 1e10, 3e-10);
        samples.between.clear();
        for (Bytes bytes = 1; bytes <= Bytes(4) << 20; bytes *= 2) {
            samples.between.push_back({bytes, 1, whole(bytes)});
            if (bytes >= 4096 && bytes <= 262144)
                samples.between.push_back({bytes * 3 / 2, 1, whole(bytes * 3 / 2)});
        }
        for (const Bytes bytes : {8, 1024, 4096, 8192, 12288, 16384, 32768, 65536}) {
            samples.between_overheads.push_back({.bytes = bytes,
                                                 .send = sending(bytes) + (bytes <= 4096 ? 1e-6 : 0),
                                                 .receive = receiving(bytes),
                                                 .blocking_send = bytes <= 4096 ? sending(bytes) : 0});
            const Seconds way = bytes < matched_from ? 0 : wire.time(double(bytes));
            samples.between_turns.push_back({bytes, 1, whole(bytes)});
            samples.between_turns.push_back({bytes, 2, whole(bytes) + way + receiving(bytes)});
            samples.between_late.push_back(
                {bytes, 1, bytes < waits_from ? sending(bytes) : 5 * whole(bytes)});
        }
        return std::get<Protocol>(fit_machine(samples).machine.between);
    };
    const Protocol late = found(0, 65536);
    EXPECT_EQ(late.matched_from, 0);
    EXPECT_EQ(late.rendezvous_from, 65536);
    EXPECT_NEAR(late.sending(1024, true), 1e-6, 1e-8);
    EXPECT_NEAR(late.sending(1024, false), 2e-6, 1e-8);
    for (const Bytes bytes : {8, 1024, 4096, 32768})
        EXPECT_NEAR(late.time(double(bytes)) / whole(bytes), 1, bytes > 4096 ? 0.15 : 0.05) << bytes;
    EXPECT_NEAR(late.message(1024).latency, 4e-6, 1e-7);
    EXPECT_EQ(found(16384, 65536).matched_from, 16384);
    EXPECT_EQ(found(1 << 20, 1 << 20).matched_from, 65537) << "all are eager";
    EXPECT_EQ(found(0, 8192).rendezvous_from, 8192);
}

// A long message that waits for its receive costs its receiver no more than the shortest one. Its way seemed
// shorter than the time that a receive takes, and all messages of fast networks eager.
TEST(FitMachine, knows_what_is_matched_below_the_length_from_which_senders_wait) {
    const Hockney wire{6e-7, 8e-11};
    const auto sending = [](Bytes bytes) { return bytes < 65536 ? 7e-7 + 5e-11 * double(bytes) : 7e-7; };
    const auto receiving = [](Bytes bytes) { return bytes < 65536 ? 2.5e-6 + 5.8e-11 * double(bytes) : 0; };
    MachineSamples samples = samples_of(wire, wire, 1e10, 3e-10);
    samples.between.clear();
    for (Bytes bytes = 1; bytes <= Bytes(4) << 20; bytes *= 2)
        samples.between.push_back({bytes, 1, sending(bytes) + wire.time(double(bytes)) + receiving(bytes)});
    for (const Bytes bytes : {8, 1024, 4096, 8192, 16384, 32768, 61440, 65536}) {
        const Seconds way = wire.time(double(bytes)) + receiving(bytes);
        samples.between_overheads.push_back(
            {.bytes = bytes, .send = sending(bytes), .receive = receiving(bytes)});
        if (bytes == 61440) continue;
        samples.between_turns.push_back({bytes, 1, sending(bytes) + way});
        samples.between_turns.push_back({bytes, 2, sending(bytes) + 2 * way});
        samples.between_late.push_back({bytes, 1, bytes < 65536 ? sending(bytes) : 5 * way});
    }
    const Machine found = fit_machine(samples).machine;
    EXPECT_EQ(std::get<Protocol>(found.between).matched_from, 0);
    EXPECT_EQ(std::get<Protocol>(found.between).rendezvous_from, 65536);
    // With two ranks a node no rank receives from two others of its node.
    EXPECT_EQ(std::get<Protocol>(found.inside).matched_from, 0);
    EXPECT_EQ(std::get<Protocol>(found.inside).rendezvous_from, 65536);
}

TEST(FitMachine, one_kind_of_messages_stands_for_both) {
    MachineSamples samples = samples_of({5e-7, 2.5e-10}, {2e-5, 8e-10}, 2e9, 3e-10);
    samples.between.clear();
    const Parameters found = fit_machine(samples);
    EXPECT_EQ(message_time(found.machine.between, 1024), message_time(found.machine.inside, 1024));
    EXPECT_THROW((void)fit_machine({}), Error);
}

Profile profile_with(std::initializer_list<Sample> samples) {
    Profile profile;
    profile.parameters =
        Parameters{.machine = {.inside = Hockney{1e-6, 1e-9}, .between = Hockney{1e-6, 1e-9}}};
    profile.samples = samples;
    return profile;
}

TEST(Corrections, are_what_was_measured_over_what_was_predicted) {
    // Under the model: a ring of 8 takes 14 messages of 128 bytes each, recursive doubling 3 of 1024 bytes.
    const Seconds ring = 14 * (1e-6 + 128e-9), doubling = 3 * (1e-6 + 1024e-9);
    Profile profile = profile_with(
        {{Collective::allreduce, 8, "8x1", 1024, Recipe::parse("ring"), 2 * ring, 0},
         {Collective::allreduce, 8, "8x1", 1024, Recipe::parse("recursive_doubling"), 1.5 * doubling, 0},
         {Collective::allreduce, 8, "8x1", 1024, Recipe(), 1, 0},
         {Collective::allreduce, 9, "no layout", 1024, Recipe::parse("ring"), 1, 0}});
    learn_corrections(profile);
    ASSERT_EQ(profile.corrections.size(), 2u);
    for (const Correction& one : profile.corrections)
        EXPECT_NEAR(one.points.at(0).factor, one.family == "ring" ? 2 : 1.5, 1e-6) << one.family;
    EXPECT_NEAR(profile.parameters->residual, std::log(2), 1e-6) << "what four of five do not exceed";
    const Profile once = profile;
    learn_corrections(profile);
    EXPECT_EQ(profile, once);
}

// The error was the scatter of the fitted samples alone: errors on other ranks and between the sizes were
// larger.
TEST(Corrections, are_as_far_off_as_they_would_be_of_a_size_that_was_not_measured) {
    const auto spread = [](double at_8_kb) {
        std::vector<Sample> samples;
        for (const auto& [bytes, factor] : {std::pair(Bytes(64), 1.0),
                                            {Bytes(1) << 10, 1.0},
                                            {Bytes(8) << 10, at_8_kb},
                                            {Bytes(64) << 10, 1.0}})
            samples.push_back({Collective::allreduce, 8, "8x1", bytes, Recipe::parse("recursive_doubling"),
                               factor * 3 * (1e-6 + double(bytes) * 1e-9), 0});
        Profile profile = profile_with({});
        profile.samples = samples;
        learn_corrections(profile);
        return profile.corrections.at(0).spread;
    };
    EXPECT_NEAR(spread(1), 0, 1e-9);
    EXPECT_GT(spread(2), 0.1);
    EXPECT_GT(spread(4), 1.5 * spread(2));
}

// A calibration of a part of the ranks learned the corrections of all ranks anew, as if these sat in blocks.
TEST(Corrections, stay_where_it_is_not_known_any_more_who_sat_where) {
    const Placement mixed =
        Placement::from(std::vector<Location>{{.node = 1}, {.node = 2}, {.node = 2}, {.node = 1}});
    const std::string layout = layout_of(mixed);
    ASSERT_FALSE(tells_every_rank(layout)) << layout;
    constexpr Seconds inside = 1e-6, between = 1e-5;
    Profile profile = profile_with(
        {{Collective::bcast, 4, layout, 8, Recipe::parse("chain(seg=0)"), 2 * (2 * between + inside), 0}});
    profile.parameters->machine = {.inside = Hockney{inside, 0}, .between = Hockney{between, 0}};
    SampleTimes there(profile.parameters->machine, mixed);
    learn_corrections(profile, there);
    ASSERT_EQ(profile.corrections.size(), 1u);
    EXPECT_NEAR(profile.corrections.front().points.at(0).factor, 2, 1e-6);

    profile.samples.push_back(
        {Collective::bcast, 4, "4x1", 8, Recipe::parse("chain(seg=0)"), 3 * between, 0});
    SampleTimes elsewhere(profile.parameters->machine, placement_of_layout("4x1"));
    learn_corrections(profile, elsewhere);
    ASSERT_EQ(profile.corrections.size(), 2u);
    for (const Correction& one : profile.corrections)
        EXPECT_NEAR(one.points.at(0).factor, one.nodes == 2 ? 2 : 1, 1e-6);

    std::erase_if(profile.samples, [&](const Sample& one) { return one.layout == layout; });
    learn_corrections(profile, elsewhere);
    EXPECT_EQ(profile.corrections.size(), 1u) << "nothing is left of what it was learned from";
}

}  // namespace
}  // namespace echelon
