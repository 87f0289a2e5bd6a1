// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/fabric.hpp"
#include "apps/cluster/job.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>

namespace echelon::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Four nodes, 1 ms, 8 Mbit/s: a byte takes a microsecond.
constexpr Shape slow{
    .nodes = 4, .latency = 1'000'000, .rate = 8e6, .racks = 1, .trunk_latency = 0, .trunk_rate = 0};

struct Message {
    int from, to;
    std::size_t bytes;
    Nanoseconds at = 0;
};

/// Arrival times of the messages, in order of arrival.
std::vector<Nanoseconds> arrivals(const Shape& shape, const std::vector<Message>& messages) {
    Fabric fabric(shape);
    for (const Message& message : messages) {
        auto frame = std::make_unique<Frame>();
        frame->bytes_on_wire = message.bytes;
        fabric.send(message.from, message.to, std::move(frame), message.at);
    }
    std::vector<Nanoseconds> times;
    while (const auto next = fabric.next())
        while (const auto frame = fabric.arrived(*next)) times.push_back(frame->tail);
    return times;
}

TEST(Fabric, a_frame_takes_the_latency_and_its_time_on_the_first_link_and_the_last) {
    EXPECT_THAT(arrivals(slow, {{0, 1, 1000}}), ElementsAre(1'000'000 + 2 * 1'000'000));
}

TEST(Fabric, many_frames_of_a_message_are_forwarded_while_the_rest_still_arrives) {
    EXPECT_THAT(arrivals(slow, {{0, 1, 60'000}}), ElementsAre(1'000'000 + 60'000'000 + 1'500'000));
}

TEST(Fabric, two_senders_share_the_card_of_a_receiver) {
    EXPECT_THAT(arrivals(slow, {{0, 2, 1000}, {1, 2, 1000}}), ElementsAre(3'000'000, 4'000'000));
    EXPECT_THAT(arrivals(slow, {{0, 2, 1000}, {1, 3, 1000}}), ElementsAre(3'000'000, 3'000'000));
}

TEST(Fabric, a_card_sends_one_after_the_other_and_receives_meanwhile) {
    EXPECT_THAT(arrivals(slow, {{0, 1, 1000}, {0, 2, 1000}, {1, 0, 1000}}),
                ElementsAre(3'000'000, 3'000'000, 4'000'000));
}

TEST(Fabric, nothing_arrives_early) {
    Fabric fabric(slow);
    auto frame = std::make_unique<Frame>();
    frame->bytes_on_wire = 1000;
    fabric.send(0, 1, std::move(frame), 500);
    EXPECT_EQ(fabric.arrived(3'000'499), nullptr);
    EXPECT_NE(fabric.arrived(3'000'500), nullptr);
    EXPECT_EQ(fabric.next(), std::nullopt);
}

TEST(Fabric, racks_share_a_trunk) {
    Shape racks = slow;
    racks.racks = 2;
    racks.trunk_latency = 2'000'000;
    racks.trunk_rate = 4e6;  // 2 ms a message of 1000 bytes, on the way up and on the way down
    EXPECT_THAT(arrivals(racks, {{0, 1, 1000}}), ElementsAre(3'000'000)) << "inside a rack";
    EXPECT_THAT(arrivals(racks, {{0, 2, 1000}}), ElementsAre(3'000'000 + 2'000'000 + 4'000'000));
    EXPECT_THAT(arrivals(racks, {{0, 2, 1000}, {1, 3, 1000}}), ElementsAre(9'000'000, 11'000'000))
        << "two pairs, one trunk";
}

TEST(Fabric, without_a_rate_there_is_the_latency_alone) {
    Shape fast = slow;
    fast.rate = 0;
    EXPECT_THAT(arrivals(fast, {{0, 1, 1'000'000}, {2, 1, 1000}}), ElementsAre(1'000'000, 1'000'000));
}

TEST(ClusterShape, reads_units_and_writes_them) {
    EXPECT_EQ(parse_latency("50us"), 50'000);
    EXPECT_EQ(parse_latency("0"), 0);
    EXPECT_EQ(parse_rate("1G"), 1e9);
    EXPECT_THAT([] { parse_latency("5"); },
                testing::ThrowsMessage<Error>("'5' is no time such as 5ms or 50us"));
    EXPECT_THAT([] { parse_rate("20Mbit"); }, testing::ThrowsMessage<Error>(HasSubstr("such as 20M or 1G")));
    Shape shape{.nodes = 8,
                .latency = 5'000'000,
                .rate = 20e6,
                .racks = 2,
                .trunk_latency = 1'000'000,
                .trunk_rate = 0};
    EXPECT_EQ(to_string(shape),
              "8 nodes, 5 ms one way, 20 Mbit/s; 2 racks, between them 1 ms more, no limit of rate");
}

TEST(ClusterJob, uneven_ranks_fill_the_first_nodes) {
    Job job{.mpi = Job::Mpi::mpich,
            .map = Job::Map::block,
            .ranks = 5,
            .preloaded = "x.so",
            .variables = {},
            .program = {"./app"}};
    EXPECT_THAT(command(job, 3, "agent", ""), testing::Contains("n0:2,n1:2,n2:2"));
    job.map = Job::Map::round_robin;
    EXPECT_THAT(command(job, 3, "agent", ""), testing::Contains("n0:1,n1:1,n2:1"));
    EXPECT_EQ(host_lines(job, 3), "");
    job.mpi = Job::Mpi::openmpi;
    EXPECT_EQ(host_lines(job, 3), "n0 slots=2\nn1 slots=2\nn2 slots=2\n");
}

}  // namespace
}  // namespace echelon::cluster
