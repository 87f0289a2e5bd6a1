// SPDX-License-Identifier: Apache-2.0
// Profiles: a written profile is read back, a wrong one is refused in one sentence, and no text crashes the
// reader.
#include "core/error.hpp"
#include "estimators/choice/decide.hpp"
#include "estimators/profile/fingerprint_json.hpp"
#include "estimators/profile/host.hpp"
#include "estimators/profile/json_reader.hpp"
#include "estimators/profile/not_reached.hpp"
#include "groups/layout.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <random>

namespace echelon {
namespace {

TEST(Fingerprint, networks_that_software_makes_do_not_count) {
    namespace fs = std::filesystem;
    const fs::path classes = fs::path(testing::TempDir()) / "echelon_network_classes";
    for (const char* const name : {"net/lo", "net/eth0", "net/ifb0", "net/docker0", "net/dummy0",
                                   "net/veth12", "net/ib0", "infiniband/mlx5_0"})
        fs::create_directories(classes / name);
    std::ofstream(classes / "net/bonding_masters") << "bond0\n";  // a file, made by a module
    EXPECT_THAT(network_names(classes), testing::ElementsAre("eth0", "ib0", "mlx5_0"));
    EXPECT_THAT(network_names(classes / "nothing"), testing::IsEmpty());
    fs::remove_all(classes);
    const Profile earlier =
        Profile::parse(R"({"echelon_profile": 1, "fingerprint": {"networks": ["eth0", "ifb0"]}})");
    EXPECT_THAT(earlier.fingerprint.networks, testing::ElementsAre("eth0"));
}

Profile rich_profile() {
    Profile profile;
    profile.fingerprint = {
        .mpi = "MPICH 4.0.2", .processor = "x", .networks = {"eth0", "ib0"}, .ranks_per_node = 4};
    Parameters parameters;
    parameters.machine.inside = Hockney{5e-7, 2.5e-10, 4096};
    parameters.machine.between =
        PiecewiseHockney{{{0, Hockney{2e-5, 8e-10}}, {65536, Hockney{5e-5, 8.1e-10}}}};
    parameters.machine.card = 1.25e9;
    parameters.machine.gamma = 3e-10;
    parameters.inside_residual = 0.01;
    parameters.residual = 0.1;
    parameters.machine.beyond = {{.network = Hockney{1e-3, 1e-9}, .uplink = 1e9, .residual = 0.02}};
    parameters.regions = {{{.site = 1}, {"a", "b"}}, {{.site = 2}, {"c", "d"}}};
    profile.parameters = parameters;
    for (const Bytes bytes : {Bytes(64), Bytes(4096), Bytes(262144)}) {
        profile.samples.push_back(
            {Collective::allreduce, 16, "4x4", bytes, Recipe(), 1e-4 + double(bytes) * 1e-9, 0.01});
        profile.samples.push_back({Collective::allreduce, 16, "4x4", bytes,
                                   Recipe::parse("lanes(node, ring, ring)"), 8e-5 + double(bytes) * 8e-10,
                                   0.01});
        profile.samples.push_back(
            {Collective::bcast, 16, "4x4", bytes, Recipe(), 1e-4 + double(bytes) * 1e-9, 0.01, 5e-5});
    }
    profile.corrections.push_back(
        {Collective::allreduce, "ring", {{64, 1.2, 1.2}, {4096, 1.1, 0.9}}, 0.05, 16, 4, 2});
    profile.likenesses.push_back(
        {Collective::allreduce, 16, "4x4", Recipe::parse("ring"), {{64, 1.1}, {4096, 0.9}}});
    profile.decisions.push_back(
        {Collective::reduce, 16, "4x4", {0, 1024}, Recipe::parse("binomial"), 1e-5, 2e-5});
    profile.rules.push_back({Collective::bcast, {65536, ~Bytes(0)}, 8, 64, Recipe::parse("chain(seg=64K)")});
    profile.foreseen.push_back({.collective = Collective::allreduce,
                                .p = 16,
                                .layout = "4x4",
                                .exact = false,
                                .recipe = Recipe::parse("ring"),
                                .rivals = {Recipe::parse("leaders(node, binomial, native)")},
                                .points = {{.bytes = 64, .measured = true, .seconds = {1e-5, 2e-5, 3e-5}},
                                           {.bytes = 96, .measured = false, .seconds = {1e-5, 0, 3e-5}}}});
    profile.not_reached.push_back({Collective::bcast, 16, "4x4", {8, 1024}});
    profile.parameters->between_is_measured = false;
    return profile;
}

std::string sentence_of(const std::string& text) {
    return refusal([&] { return Profile::parse(text); });
}

TEST(Profile, is_read_back_as_it_was_written) {
    const Profile profile = rich_profile();
    Remarks remarks;
    EXPECT_EQ(Profile::parse(to_json(profile), &remarks), profile);
    EXPECT_THAT(remarks.unknown, testing::IsEmpty());
    EXPECT_THAT(remarks.errors, testing::IsEmpty());
}

TEST(Profile, keeps_every_model_of_a_network) {
    const std::vector<Network> networks{
        Hockney{1e-6, 1e-9},
        LogGP{1e-6, 2e-6, 3e-6, 1e-9, 1e-7},
        PLogP{1e-6, Table({{0, 1e-6}, {8, 2e-6}}), Table({{0, 1e-7}}), Table({{0, 1e-7}})},
        Postal{1e-6, 2e-7, 1e-9},
        Protocol{{{{0, {1e-6, 1e-9}}, {4096, {2e-6, 5e-10}}}},
                 Table({{8, 3e-7}, {1024, 4e-7}}),
                 Table::constant(5e-7),
                 4096},
        Protocol{.one_way = {{{0, {1e-6, 1e-9}}}},
                 .rendezvous_from = 4096,
                 .matched_from = 64,
                 .blocking_overhead = Table({{8, 2e-7}, {4096, 3e-7}})}};
    for (const Network& network : networks) {
        Profile profile = rich_profile();
        profile.parameters->machine.between = network;
        EXPECT_EQ(Profile::parse(to_json(profile)), profile) << to_json(profile);
    }
}

TEST(Profile, older_ones_have_one_overhead_of_sends_and_receives) {
    const auto with = [](const std::string& overheads) {
        const Network network = Profile::parse(R"({"echelon_profile": 1, "parameters": {
            "inside": {"model": "hockney", "alpha": 1e-6, "beta": 1e-9},
            "between": {"model": "protocol", "pieces": [{"from": 0, "alpha": 1e-6, "beta": 1e-9}],
                        "rendezvous_from": 4096, )" +
                                               overheads + "}}}")
                                    .parameters->machine.between;
        return std::get<Protocol>(network);
    };
    const Protocol older = with(R"("overhead": 3e-7)");
    for (const double bytes : {0.0, 8.0, 1e6}) {
        EXPECT_EQ(older.send_overhead.at(bytes), 3e-7);
        EXPECT_EQ(older.receive_overhead.at(bytes), 3e-7);
    }
    EXPECT_THROW((void)with(R"("send_overhead": [[8, 3e-7]])"), Error) << "a half is missing";
    EXPECT_THROW((void)with(R"("overhead": 3e-7, "send_overhead": [[8, 3e-7]])"), Error) << "which holds?";
}

TEST(Profile, keeps_switches_of_sites) {
    Profile profile = rich_profile();
    Parameters& parameters = *profile.parameters;
    parameters.machine.beyond.insert(
        parameters.machine.beyond.begin(),
        {.level = Level::leaf_switch, .network = Hockney{4e-6, 2e-9}, .uplink = 2e9, .residual = 0.04});
    parameters.regions = {{{.site = 1, .leaf_switch = 1}, {"a", "b"}},
                          {{.site = 1, .leaf_switch = 2}, {"c"}},
                          {{.site = 2, .leaf_switch = 3}, {"d", "e"}}};
    EXPECT_EQ(Profile::parse(to_json(profile)), profile) << to_json(profile);
    parameters.machine.beyond.pop_back();
    for (Inhabitants& one : parameters.regions) one.region.site = 0;
    const std::string alone = to_json(profile);
    EXPECT_EQ(Profile::parse(alone), profile);
    EXPECT_EQ(alone.find("\"sites\": {"), std::string::npos) << alone;
}

// A profile without messages between switches was measured across all of them, and its layouts name none.
TEST(Profile, names_switches_in_layouts_where_it_has_messages_between_them) {
    Profile profile = rich_profile();
    const Placement placement = placement_of_layout("16x4 on 4 switches on 2 sites");
    EXPECT_EQ(layout_in(profile, placement), "16x4 on 2 sites");
    EXPECT_EQ(layout_in({}, placement), "16x4 on 2 sites");
    profile.parameters->machine.beyond.push_back({.level = Level::leaf_switch});
    EXPECT_EQ(layout_in(profile, placement), "16x4 on 4 switches on 2 sites");
}

TEST(Profile, keeps_where_nodes_are_in_a_torus) {
    Profile profile = rich_profile();
    Parameters& parameters = *profile.parameters;
    parameters.machine.beyond.clear();
    parameters.machine.torus = {.of_node = {}, .hop = 4e-7, .link = 5e9, .hops = 2};
    parameters.regions.clear();
    for (std::uint8_t x = 0; x < 3; ++x)
        parameters.regions.push_back(
            {{.torus = {.at = {x, 1}, .size = {4, 3}}}, {"node-" + std::to_string(x)}});
    EXPECT_EQ(Profile::parse(to_json(profile)), profile);
    const auto with = [](const std::string& torus) {
        return sentence_of(
            R"({"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 0, "beta": 0},
                "between": {"model": "hockney", "alpha": 0, "beta": 0}, "torus": {"hop": 1e-7, "hops": 1, )" +
            torus + "}}}");
    };
    EXPECT_EQ(with(R"("size": [4, 0], "hosts": [])"),
              "parameters.torus.size[1]: expected a whole number from 1 to 255, found 0");
    EXPECT_EQ(with(R"("size": [200, 200], "hosts": [])"),
              "parameters.torus.size: expected room for no more than 4096 nodes, found [200,200]");
    EXPECT_EQ(with(R"("size": [4, 4], "hosts": [{"host": "a", "at": [1, 4]}])"),
              "parameters.torus.hosts[0].at[1]: expected a whole number from 0 to 3, found 4");
    EXPECT_EQ(with(R"("size": [4, 4], "hosts": [{"host": "a", "at": [1]}])"),
              "parameters.torus.hosts[0].at: expected a number for each dimension, found [1]");
    EXPECT_EQ(with(R"("size": [4, 4], "hosts": [{"host": "a", "at": [1, 1, 0]}])"),
              "parameters.torus.hosts[0].at: expected a number for each dimension, found [1,1,0]");
}

TEST(Profile, keeps_what_shared_memory_takes) {
    Profile profile = rich_profile();
    profile.parameters->machine.window = SharedMemory{6e-8, 1e-10};
    EXPECT_EQ(Profile::parse(to_json(profile)), profile);
    EXPECT_NE(Profile::parse(to_json(rich_profile())), profile);
}

TEST(Profile, keeps_what_work_takes_of_several_ranks_at_once) {
    Profile profile = rich_profile();
    profile.parameters->machine.at_work = {{1, 1e-10, 2e-10}, {4, 3e-10, 2e-10}};
    EXPECT_EQ(Profile::parse(to_json(profile)), profile);
    EXPECT_EQ(Profile::parse(to_json(rich_profile())).parameters->machine.at_work, AtWork());
    const auto with = [](const std::string& second) {
        return sentence_of(
            R"({"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": 0, "beta": 0},
                "between": {"model": "hockney", "alpha": 0, "beta": 0},
                "at_work": [{"ranks": 2, "copy": 2, "combine": 2}, )" +
            second + "]}}");
    };
    EXPECT_EQ(with(R"({"ranks": 2, "copy": 2, "combine": 2})"),
              "parameters.at_work[1].ranks: expected more than the one before has, found 2");
    EXPECT_EQ(with(R"({"ranks": 3, "copy": 1, "combine": 2})"),
              "parameters.at_work[1].copy: expected no less than that of fewer ranks, found 1");
}

TEST(Profile, notes_what_a_calibration_did_not_reach) {
    Profile profile;
    const auto sample = [](Collective collective, Bytes bytes) {
        return Sample{.collective = collective, .p = 4, .layout = "1x4", .bytes = bytes, .seconds = 1};
    };
    profile.samples = {sample(Collective::allreduce, 8), sample(Collective::barrier, 0)};
    profile.not_reached = {{Collective::bcast, 4, "1x4", {8, 64}}, {Collective::bcast, 2, "1x2", {8}}};
    note_not_reached(profile,
                     {{Collective::allreduce, Collective::barrier, Collective::gather}, {2, 8}, 4, "1x4"});
    const std::vector<NotReached> left{
        {Collective::allreduce, 4, "1x4", {2}},
        {Collective::bcast, 2, "1x2", {8}},
        {Collective::bcast, 4, "1x4", {8, 64}},
        {Collective::gather, 4, "1x4", {8}}};  // 2 bytes are less than one a rank
    EXPECT_THAT(profile.not_reached, testing::UnorderedElementsAreArray(left));
    for (const NotReached& one : left)
        for (const Bytes bytes : one.sizes) {
            profile.samples.push_back(sample(one.collective, bytes));
            profile.samples.back().p = one.p;
            profile.samples.back().layout = one.layout;
        }
    note_not_reached(profile, {{Collective::allreduce}, {8}, 4, "1x4"});
    EXPECT_THAT(profile.not_reached, testing::IsEmpty());
}

TEST(Profile, tells_what_is_wrong_and_where) {
    EXPECT_EQ(sentence_of("{\"echelon_profile\": 1"), "not JSON at line 1, column 22");
    EXPECT_EQ(sentence_of("{\"echelon_profile\": 1,\n  \"rules\": [,]}"), "not JSON at line 2, column 13");
    EXPECT_EQ(sentence_of(""), "not JSON at line 1, column 1");
    EXPECT_EQ(sentence_of("{}"), "not a profile: 'echelon_profile', the version, is missing");
    EXPECT_EQ(sentence_of("[1]"), "not a profile: 'echelon_profile', the version, is missing");
    EXPECT_EQ(
        sentence_of("{\"echelon_profile\": 7}"),
        "its format is version 7, and this Echelon reads version 1: install a newer Echelon, or calibrate again");
    EXPECT_EQ(sentence_of("{\"echelon_profile\": 0}"),
              "its format is version 0, and this Echelon reads version 1: calibrate again");
    EXPECT_EQ(
        sentence_of(R"({"echelon_profile": 1, "rules": [{"collective": "allreduced", "recipe": "ring"}]})"),
        "rules[0].collective: expected the name of a collective such as allreduce, found \"allreduced\"");
    EXPECT_THAT(
        sentence_of(R"({"echelon_profile": 1, "rules": [{"collective": "allreduce", "recipe": "rings"}]})"),
        testing::StartsWith(
            "rules[0].recipe: recipe 'rings', column 1: there is no algorithm or shape 'rings'"));
    EXPECT_EQ(
        sentence_of(
            R"({"echelon_profile": 1, "parameters": {"inside": {"model": "hockney", "alpha": -1, "beta": 0}}})"),
        "parameters.inside.alpha: expected a number from 0 on, found -1");
    EXPECT_EQ(sentence_of(R"({"echelon_profile": 1, "samples": [{"collective": "reduce"}]})"),
              "samples[0]: 'p' is missing");
    const auto foreseen = [](const std::string& points, const std::string& more = "") {
        return sentence_of(
            R"({"echelon_profile": 1, "foreseen": [{"collective": "bcast", "p": 4, "layout": "4x1", "recipe": "ring", )" +
            more + R"("points": [)" + points + "]}]}");
    };
    EXPECT_EQ(
        foreseen(R"({"bytes": 8, "seconds": [1, 2]})", R"("rivals": ["chain"], )"),
        "foreseen[0].points[0].seconds: expected times of the recipe, of native and of each rival, found [1,2]");
    EXPECT_EQ(foreseen(R"({"bytes": 8, "seconds": [1, 2]}, {"bytes": 8, "seconds": [1, 2]})"),
              "foreseen[0].points[1].bytes: expected points in ascending order, found 8");
    EXPECT_EQ(foreseen(R"({"bytes": 8, "measured": 1, "seconds": [1, 2]})"),
              "foreseen[0].points[0].measured: expected true or false, found 1");
}

TEST(Profile, reports_keys_that_mean_nothing) {
    Remarks remarks;
    (void)Profile::parse(
        R"({"echelon_profile": 1, "colour": 1, "rules": [{"collective": "reduce", "recipe": "native", "byte": 3}]})",
        &remarks);
    EXPECT_THAT(remarks.unknown, testing::UnorderedElementsAre("colour", "rules[0].byte"));

    remarks = {};
    const Profile profile = Profile::parse(
        R"({"echelon_profile": 1, "parameters": {
            "inside": {"model": "postal", "alpha_p": 1e-6, "alpha_r": 1e-7, "beta": 1e-9, "gap": 1e-6},
            "between": {"model": "hockney", "alpha": 1e-6, "beta": 1e-9}}})",
        &remarks);
    EXPECT_THAT(remarks.unknown, testing::ElementsAre("parameters.inside.gap"));
    EXPECT_EQ(profile.parameters->machine.inside, Network(Postal{1e-6, 1e-7, 1e-9}));
}

TEST(Fingerprint, tells_what_has_changed) {
    const Fingerprint here{
        .mpi = "MPICH 4.2", .processor = "x", .networks = {"eth0", "ib0"}, .ranks_per_node = 9};
    EXPECT_EQ(difference(rich_profile().fingerprint, here),
              "the MPI library was MPICH 4.0.2 and is MPICH 4.2");
    EXPECT_EQ(difference(here, here), "");
}

// Open MPI counts the byte that ends its name as a part of it, and profiles contained it.
TEST(Fingerprint, of_a_library_ends_where_its_name_does) {
    const Profile old =
        Profile::parse(R"({"echelon_profile": 1, "fingerprint": {"mpi": "Open MPI v4.1.4\u0000"}})");
    EXPECT_EQ(old.fingerprint.mpi, "Open MPI v4.1.4");
    EXPECT_EQ(difference(old.fingerprint, {.mpi = "Open MPI v4.1.4", .processor = "x"}), "");
}

TEST(Fingerprint, is_read_ahead_of_what_follows) {
    const Profile profile = rich_profile();
    const std::string text = to_json(profile);
    EXPECT_EQ(fingerprint_ahead(text), profile.fingerprint);
    EXPECT_EQ(fingerprint_ahead(text.substr(0, text.find("samples"))), profile.fingerprint);
    EXPECT_EQ(fingerprint_ahead(text.substr(0, text.find("ib0"))), std::nullopt);
    EXPECT_EQ(fingerprint_ahead(R"({"rules": [{"fingerprint": {"mpi": "x"}}], "echelon_profile": 1})"),
              std::nullopt);
    EXPECT_EQ(fingerprint_ahead(R"({"fingerprint": {"mpi": 7}})"), std::nullopt);
    EXPECT_EQ(fingerprint_ahead("[1]"), std::nullopt);
}

/// Decisions of a communicator with this profile, or the reason for its refusal.
std::string consequence(const std::string& text) {
    try {
        const auto profile = std::make_shared<const Profile>(Profile::parse(text));
        Decider decider(profile, placement_of_layout("4x4"));
        std::string all;
        for (const Collective collective : {Collective::allreduce, Collective::reduce, Collective::bcast})
            for (const Bytes bytes : {Bytes(0), Bytes(64), Bytes(100000)})
                all += to_string(decider.decide(collective, bytes, {}).recipe) + '\n';
        return all;
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Profile, survives_thousands_of_mutations_and_means_the_same_to_all_who_read_it) {
    const std::string good = to_json(rich_profile());
    std::mt19937 random(20050404);
    int used = 0, refused = 0;
    for (int i = 0; i < 4000; ++i) {
        std::string text = good;
        const int mutations = 1 + int(random() % 4);
        for (int m = 0; m < mutations && !text.empty(); ++m) {
            const std::size_t at = random() % text.size();
            switch (random() % 6) {
                case 0:
                    text.resize(at);
                    break;
                case 1:
                    text[at] = char(text[at] ^ char(1 << random() % 8));
                    break;
                case 2:
                    text[at] = char('0' + random() % 10);
                    break;
                case 3:
                    text.erase(at, random() % 20);
                    break;
                case 4:
                    text.insert(at, text.substr(random() % text.size(), random() % 30));
                    break;
                default:
                    text[at] = "{}[]\",:-e"[random() % 9];
                    break;
            }
        }
        const std::string first = consequence(text);
        EXPECT_EQ(first, consequence(text)) << text;
        ++(first.find('\n') == std::string::npos ? refused : used);
    }
    EXPECT_GT(used, 100);
    EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace echelon
