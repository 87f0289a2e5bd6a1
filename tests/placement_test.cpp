// SPDX-License-Identifier: Apache-2.0
// Placement of ranks on machines described by strings, never on the machine at hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "groups/groups.hpp"
#include "groups/hwloc_location.hpp"
#include "groups/placement.hpp"
#include "groups/ways.hpp"

namespace {

using echelon::by_l3;
using echelon::by_node;
using echelon::by_numa;
using echelon::by_package;
using echelon::by_switch;
using echelon::completed;
using echelon::Error;
using echelon::Level;
using echelon::Location;
using echelon::locations_of;
using echelon::Placement;
using echelon::placements;
using echelon::Region;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Ranks of node `node` on the described machine, each on the given processors.
std::vector<Location> locations(const std::string& machine, const std::vector<std::string>& processors,
                                std::uint64_t node = 0) {
    return locations_of(machine, processors, node);
}

std::vector<std::int32_t> numbers(const std::vector<Location>& locations, std::int32_t Location::*level) {
    std::vector<std::int32_t> numbers(locations.size());
    std::transform(locations.begin(), locations.end(), numbers.begin(), std::mem_fn(level));
    return numbers;
}

std::vector<std::int32_t> packages(const std::vector<Location>& locations) {
    return numbers(locations, &Location::package);
}
std::vector<std::int32_t> numas(const std::vector<Location>& locations) {
    return numbers(locations, &Location::numa);
}
std::vector<std::int32_t> l3s(const std::vector<Location>& locations) {
    return numbers(locations, &Location::l3);
}

TEST(Placement, GroupsInterleavedAndUnevenNodes) {
    EXPECT_THAT(by_node(placements("a a b a b")).members(1), ElementsAre(2, 4));
    EXPECT_EQ(to_string(by_node(placements("a a b a b"))), "0-1+3;2+4");
    EXPECT_EQ(to_string(by_node(placements("a b c d"))), "0;1;2;3");
    EXPECT_EQ(to_string(by_node(placements("x x x"))), "0-2");
}

TEST(Placement, CountsByFirstAppearance) {
    const Placement machine = placements("z.7.3 z.2.3 a.7.1 z.7.9");
    EXPECT_EQ(to_string(machine), "0.0.0 0.1.0 1.2.1 0.0.2");
    EXPECT_EQ(machine.size(), 4);
    EXPECT_EQ(machine.node_count(), 2);
    EXPECT_EQ(machine.node(2), 1);
    EXPECT_EQ(machine.package(3), 0);
    EXPECT_EQ(machine.numa(3), 2);
    EXPECT_EQ(placements(to_string(machine)), machine);

    const Placement caches = placements("b.0.0.9 a.0.0.9 b.0.0.4 a.0.0.9");
    EXPECT_EQ(to_string(caches), "0.0.0.0 1.1.1.1 0.0.0.2 1.1.1.1");
    EXPECT_EQ(caches.l3(2), 2);
    EXPECT_EQ(to_string(by_l3(caches)), "0;1+3;2");
    EXPECT_EQ(placements(to_string(caches)), caches);
    const std::vector<int> some = {3, 2, 0};
    EXPECT_EQ(caches.of(some), placements("a.0.0.9 b.0.0.4 b.0.0.9"));
    EXPECT_EQ(caches.in(std::vector<Region>{{.site = 7}, {.site = 9}}).l3s().size(), 4u);
    EXPECT_EQ(to_string(by_l3(caches.in(std::vector<Region>{{.site = 7}, {.site = 9}}))), "0;1+3;2");
}

TEST(Placement, KeepsPackagesAndNumaNodesInsideANode) {
    // Both nodes have a package 0 and a NUMA node 0, which are different ones.
    const Placement machine = placements("a.0.0 b.0.0 a.0.1 b.0.0 a.1.2 b.1.0");
    EXPECT_EQ(to_string(by_node(machine)), "0+2+4;1+3+5");
    EXPECT_EQ(to_string(by_package(machine)), "0+2;1+3;4;5");
    EXPECT_EQ(to_string(by_numa(machine)), "0;1+3+5;2;4");
}

TEST(Placement, TakesTheNodeWholeWhereARankDoesNotKnow) {
    const Placement machine = placements("a.0.0 a.1.1 a b.0 b.1 b.1");
    EXPECT_EQ(to_string(by_package(machine)), "0-2;3;4-5");
    EXPECT_EQ(to_string(by_numa(machine)), "0-2;3-5");
    EXPECT_EQ(by_package(placements("a b a b")), by_node(placements("a b a b")));
}

TEST(Placement, RenumbersSomeOfTheRanks) {
    const Placement machine = placements("a.0.0 b.0.0 a.1.1 b.1.1 c");
    const std::vector<int> some = {3, 4, 1, 2};
    EXPECT_EQ(to_string(machine.of(some)), "0.0.0 1.1.1 0.2.2 2.3.3");
    EXPECT_EQ(machine.of(some), placements("b.1.1 c b.0.0 a.1.1"));
    EXPECT_EQ(machine.of(some).node_count(), 3);
    EXPECT_EQ(machine.of({}).size(), 0);
}

TEST(Placement, KnowsSitesWhereAllRanksDo) {
    const Placement machine = placements("here:a there:b here:c there:b");
    EXPECT_EQ(machine.site_count(), 2);
    EXPECT_EQ(to_string(by_site(machine)), "0+2;1+3");
    EXPECT_EQ(placements(to_string(machine)), machine);
    EXPECT_EQ(to_string(machine), "0:0.0.0 1:1.1.1 0:2.2.2 1:1.1.1");
    EXPECT_EQ(machine.of(std::vector<int>{1, 3}).site_count(), 1);
    EXPECT_EQ(to_string(by_site(machine.of(std::vector<int>{1, 0, 3}))), "0+2;1");
    EXPECT_EQ(placements("here:a there:b c").site_count(), 1) << "one does not know";
    EXPECT_EQ(placements("here:a there:a").site_count(), 1) << "a node is in one place";
    EXPECT_EQ(placements("a b c b").in(std::vector<Region>{{.site = 7}, {.site = 9}, {.site = 7}}), machine);
    EXPECT_EQ(machine.in(std::vector<Region>(3)), placements("a b c b"));
}

TEST(Placement, KnowsSwitchesOfSites) {
    const Placement machine = placements("here:s1:a here:s2:b there:s1:c here:s1:d");
    EXPECT_EQ(machine.site_count(), 2);
    EXPECT_EQ(machine.switch_count(), 3) << "each site has its s1";
    EXPECT_EQ(to_string(by_switch(machine)), "0+3;1;2");
    EXPECT_EQ(to_string(machine), "0:0:0.0.0 0:1:1.1.1 1:2:2.2.2 0:0:3.3.3");
    EXPECT_EQ(placements(to_string(machine)), machine);
    EXPECT_EQ(machine.by_node(Level::leaf_switch), (std::vector<int>{0, 1, 2, 0}));
    EXPECT_EQ(machine.of(std::vector<int>{2, 0, 3}), placements("there:c here:a here:d"))
        << "one switch in each site tells no more than sites do";
    EXPECT_EQ(machine.without_switches(), placements("here:a here:b there:c here:d"));

    const Placement alone = placements(":s1:a :s2:b :s1:a.0");
    EXPECT_EQ(alone.site_count(), 1);
    EXPECT_EQ(to_string(by_switch(alone)), "0+2;1");
    EXPECT_EQ(to_string(alone), ":0:0.0.0 :1:1.1.1 :0:0.0.0");
    EXPECT_EQ(placements(to_string(alone)), alone);
    EXPECT_TRUE(alone.knows_regions());
    EXPECT_EQ(placements("0/2:s1:a 1/2:s2:b").torus().size(), 2u);
    EXPECT_TRUE(placements("0/2:s1:a 1/2:s2:b").knows(Level::leaf_switch));

    EXPECT_FALSE(placements(":s1:a :s2:b c").knows(Level::leaf_switch)) << "one does not know";
    EXPECT_EQ(by_switch(placements("here:a there:b")), by_site(placements("here:a there:b")));
    EXPECT_EQ(placements(":s1:a :s2:a").switch_count(), 1) << "a node is on one switch";
}

TEST(Region, IsCompletedByWhatWasFoundWhereNobodyWasTold) {
    const Region found{.site = 3, .leaf_switch = 4, .torus = {.at = {1}, .size = {2}}};
    EXPECT_EQ(completed({}, found), found);
    EXPECT_EQ(completed({.leaf_switch = 9}, found),
              (Region{.site = 3, .leaf_switch = 9, .torus = found.torus}));
    EXPECT_EQ(completed({.site = 9}, found), (Region{.site = 9, .leaf_switch = 4}));
    EXPECT_EQ(completed({.site = 8, .leaf_switch = 9}, found), (Region{.site = 8, .leaf_switch = 9}));
}

TEST(Placement, KnowsATorusWhereAllNodesAreInIt) {
    const Placement machine = placements("1.0/4.3:a 1.0/4.3:a 3.2/4.3:b");
    ASSERT_EQ(machine.torus().size(), 2u);
    EXPECT_EQ(hops(machine.torus()[0], machine.torus()[1]), 3);
    EXPECT_EQ(machine.site_count(), 1);
    EXPECT_TRUE(machine.knows_regions());
    EXPECT_EQ(to_string(machine), "1.0/4.3:0.0.0 1.0/4.3:0.0.0 3.2/4.3:1.1.1");
    EXPECT_EQ(placements(to_string(machine)), machine);
    EXPECT_EQ(machine.of(std::vector<int>{2, 0}), placements("3.2/4.3:b 1.0/4.3:a"));
    EXPECT_TRUE(placements("1.0/4.3:a 3/4:b").torus().empty()) << "of another torus";
    EXPECT_TRUE(placements("1.0/4.3:a b").torus().empty()) << "one does not know";
}

TEST(Placement, OfNoRanksKnowsNothing) {
    EXPECT_EQ(Placement(), placements(""));
    EXPECT_EQ(Placement().size(), 0);
    EXPECT_EQ(Placement().node_count(), 0);
}

TEST(Placement, RefusesWordsThatAreNoSeats) {
    EXPECT_THAT([] { placements("a a.x"); },
                ThrowsMessage<Error>(HasSubstr("placement 'a.x': 'x' must be a number")));
    EXPECT_THAT([] { placements("a.0.1.2.3"); }, ThrowsMessage<Error>(HasSubstr("node.package.numa.l3")));
    EXPECT_THAT([] { placements("a. b"); }, ThrowsMessage<Error>(HasSubstr("'' must be a number")));
    EXPECT_THAT([] { placements(":a"); }, ThrowsMessage<Error>(HasSubstr("behind a site as in s:a.0.1")));
    for (const char* const wrong : {"s::a", "::a", "s:w:", "s:w:x:a"})
        EXPECT_THAT([&] { placements(wrong); },
                    ThrowsMessage<Error>(HasSubstr("behind a site and a switch as in s:w:a.0.1")))
            << wrong;
    for (const char* const wrong :
         {"4/4:a", "1.0/4:a", "1/4.4:a", "1/256:a", "0.0.0/200.200.2:a", "0.0.0.0.0/2.2.2.2.2:a"})
        EXPECT_THAT([&] { placements(wrong); },
                    ThrowsMessage<Error>(HasSubstr("must be a position in a torus")))
            << wrong;
    EXPECT_THAT([] { placements(".1"); }, ThrowsMessage<Error>(HasSubstr("placement '.1'")));
    EXPECT_THAT([] { placements("a.-1"); }, ThrowsMessage<Error>(HasSubstr("'-1' must be a number")));
}

TEST(Location, CanBeSentAsItIs) {
    static_assert(std::is_trivially_copyable_v<Location> && sizeof(Location) == 48);
    static_assert(std::has_unique_object_representations_v<Location>);  // no padding bytes
    EXPECT_EQ(echelon::node_key("node17"), echelon::node_key(std::string("node") + "17"));
    EXPECT_NE(echelon::node_key("node17"), echelon::node_key("node71"));
    EXPECT_EQ(echelon::node_key("a"), 0xaf63dc4c8601ec8cu);  // the published value of 64 bit FNV-1a
}

TEST(Topology, TellsPackageAndNumaNodeOfABinding) {
    const std::string machine = "pack:2 numa:2 core:4 pu:1";  // processors 0-15
    const auto found = locations(machine, {"0", "3", "4-7", "8-9", "12", "15"}, 42);
    EXPECT_THAT(packages(found), ElementsAre(0, 0, 0, 1, 1, 1));
    EXPECT_THAT(numas(found), ElementsAre(0, 0, 1, 2, 3, 3));
    for (const Location& location : found) EXPECT_EQ(location.node, 42u);

    const Placement placement = Placement::from(found);
    EXPECT_EQ(to_string(by_package(placement)), "0-2;3-5");
    EXPECT_EQ(to_string(by_numa(placement)), "0-1;2;3;4-5");
}

TEST(Topology, TellsTheThirdLevelCacheOfABinding) {
    const std::string machine = "pack:2 l3:4 core:4 pu:1";  // processors 0-31, four a cache
    const auto found = locations(machine, {"0", "3", "4-7", "16-17", "12-15", "0-4", ""});
    EXPECT_THAT(l3s(found), ElementsAre(0, 0, 4, 16, 12, Location::unknown, Location::unknown));
    EXPECT_THAT(packages(found), ElementsAre(0, 0, 0, 1, 0, 0, Location::unknown));
    EXPECT_EQ(to_string(by_l3(Placement::from(std::span(found).first(5)))), "0-1;2;3;4");
    EXPECT_TRUE(by_l3(Placement::from(found)).flat()) << "some do not know";
}

TEST(Topology, NestsCachesInNumaNodes) {
    std::vector<std::string> bound;
    for (int processor = 0; processor < 16; ++processor) bound.push_back(std::to_string(processor));
    const Placement placement = Placement::from(locations("pack:1 numa:2 l3:2 core:4 pu:1", bound));
    EXPECT_EQ(to_string(by_numa(placement)), "0-7;8-15");
    EXPECT_EQ(to_string(by_l3(placement)), "0-3;4-7;8-11;12-15");
    // Caches may also hold more than a NUMA node.
    const Placement wide = Placement::from(locations("pack:1 l3:1 numa:4 core:4 pu:1", bound));
    EXPECT_EQ(to_string(by_numa(wide)), "0-3;4-7;8-11;12-15");
    EXPECT_TRUE(by_l3(wide).flat());
}

TEST(Topology, TakesTheNodeWholeWithoutThirdLevelCaches) {
    const auto found = locations("pack:2 [numa] l2:2 core:2 pu:1", {"0", "3", "7"});
    EXPECT_THAT(l3s(found), testing::Each(Location::unknown));
    EXPECT_EQ(by_l3(Placement::from(found)), by_node(Placement::from(found)));
}

/// Processes that are confined to different caches both count their own as the first.
TEST(Topology, NumbersCachesAlikeInConfinedProcesses) {
    EXPECT_THAT(l3s(locations("l3:2(indexes=1,0) core:2 pu:1", {"0", "3"})), ElementsAre(0, 2));
}

TEST(Topology, DoesNotGuessWhereARankMayRunInSeveralPlaces) {
    const std::string machine = "pack:2 numa:2 core:4 pu:1";
    const auto found = locations(machine, {"0-7", "3-4", "7-8", "0-15", ""});
    EXPECT_THAT(packages(found), ElementsAre(0, 0, Location::unknown, Location::unknown, Location::unknown));
    EXPECT_THAT(numas(found), testing::Each(Location::unknown));
    EXPECT_TRUE(by_package(Placement::from(found)).flat());
}

TEST(Topology, KnowsThePlaceOfUnboundRanksIfThereIsOnlyOne) {
    const auto found = locations("pack:1 numa:1 core:2 pu:2", {"", "0", "2-3"});
    EXPECT_THAT(packages(found), ElementsAre(0, 0, 0));
    EXPECT_THAT(numas(found), ElementsAre(0, 0, 0));
}

TEST(Topology, DoesWithoutPackages) {
    const auto found = locations("numa:2 core:2 pu:1", {"0", "3"});
    EXPECT_THAT(packages(found), ElementsAre(Location::unknown, Location::unknown));
    EXPECT_THAT(numas(found), ElementsAre(0, 1));
    EXPECT_EQ(by_package(Placement::from(found)).group_count(), 1);
    EXPECT_EQ(by_numa(Placement::from(found)).group_count(), 2);
}

TEST(Topology, UsesPhysicalNumbers) {
    // Processes that are confined to different packages both count their own as the first.
    EXPECT_THAT(packages(locations("pack:2(indexes=5,3) [numa] core:2 pu:1", {"0", "3"})), ElementsAre(5, 3));
}

TEST(Topology, PrefersTheNearestNumaNodeOfSeveral) {
    // Each package has one large memory and, for each half of its cores, a fast one.
    const auto found = locations("pack:2 [numa] group:2 [numa] core:2 pu:1", {"0-1", "2", "1-2", "6-7"});
    const auto numa = numas(found);
    EXPECT_NE(numa[0], numa[1]);
    EXPECT_NE(numa[2], numa[0]) << "a rank on both halves is near to the large memory only";
    EXPECT_NE(numa[2], numa[1]);
    EXPECT_NE(numa[3], numa[0]);
    EXPECT_NE(numa[2], Location::unknown);
}

TEST(Topology, ReadsXml) {
    const std::string machine = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003"
          allowed_cpuset="0x00000003" nodeset="0x00000001" complete_nodeset="0x00000001"
          allowed_nodeset="0x00000001" gp_index="1">
    <object type="NUMANode" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003" nodeset="0x00000001"
            complete_nodeset="0x00000001" gp_index="6" local_memory="1073741824"/>
    <object type="Package" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000001"
            complete_nodeset="0x00000001" gp_index="2">
      <object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000001"
              complete_nodeset="0x00000001" gp_index="3"/>
    </object>
    <object type="Package" os_index="7" cpuset="0x00000002" complete_cpuset="0x00000002" nodeset="0x00000001"
            complete_nodeset="0x00000001" gp_index="4">
      <object type="PU" os_index="1" cpuset="0x00000002" complete_cpuset="0x00000002" nodeset="0x00000001"
              complete_nodeset="0x00000001" gp_index="5"/>
    </object>
  </object>
</topology>
)";
    const auto found = locations(machine, {"0", "1", ""});
    EXPECT_THAT(packages(found), ElementsAre(0, 7, Location::unknown));
    EXPECT_THAT(numas(found), ElementsAre(0, 0, 0));
}

TEST(Topology, RefusesWhatHwlocCannotRead) {
    EXPECT_THAT([] { locations("pack:two", {"0"}); }, ThrowsMessage<Error>(HasSubstr("machine 'pack:two'")));
    EXPECT_THAT([] { locations("", {"0"}); }, ThrowsMessage<Error>(HasSubstr("machine ''")));
    EXPECT_THAT([] { locations("<topology", {"0"}); },
                ThrowsMessage<Error>(HasSubstr("machine '<topology'")));
    EXPECT_THAT([] { locations("pack:2 [numa] pu:2", {"x"}); },
                ThrowsMessage<Error>(HasSubstr("processors 'x'")));
    EXPECT_THAT([] { locations("pack:2 [numa] pu:2", {"0-1x"}); },
                ThrowsMessage<Error>(HasSubstr("processors '0-1x'")));
    EXPECT_THAT([] { locations("pack:2 [numa] pu:2", {"4"}); },
                ThrowsMessage<Error>(HasSubstr("processors '4' are not in the machine, which has 4")));
}

TEST(Topology, IsAskedOnceForTheProcess) {
    // hwloc takes this description for the machine at hand; the numbers show that it was asked.
    const std::string processors = " pu:" + std::to_string(sysconf(_SC_NPROCESSORS_CONF));
    setenv("HWLOC_SYNTHETIC", ("pack:1(indexes=5) [numa(indexes=3)]" + processors).c_str(), 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    const Location expected{.node = 7, .package = 5, .numa = 3};
    EXPECT_EQ(echelon::location_here(7), expected);

    setenv("HWLOC_SYNTHETIC", ("pack:1(indexes=6) [numa(indexes=4)]" + processors).c_str(), 1);
    EXPECT_EQ(echelon::location_here(7), expected);
    EXPECT_EQ(echelon::location_here(8).node, 8u);
    unsetenv("HWLOC_SYNTHETIC");
    unsetenv("HWLOC_THISSYSTEM");
}

}  // namespace
