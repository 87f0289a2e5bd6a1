// SPDX-License-Identifier: Apache-2.0
// Times of a real network (tests/data/README.md): a replay whose latencies did not overlap, or whose short
// sends waited for their receives, chose recipes that took up to three times as long as the best.
#include "core/error.hpp"
#include "core/statistics.hpp"
#include "estimators/price/contention.hpp"
#include "estimators/price/predictor.hpp"
#include "estimators/price/replay.hpp"
#include "estimators/profile/built_in_machine.hpp"
#include "groups/layout.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

namespace echelon {
namespace {

struct Timed {
    Recipe recipe;
    Seconds seconds;
};
using Cells = std::map<std::pair<Collective, Bytes>, std::vector<Timed>>;

/// Lines of collective,bytes,median_us,low_us,high_us,recipe, the recipe perhaps in quotes.
Cells read_cells(const std::string& file) {
    std::ifstream in(file);
    Cells cells;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        std::vector<std::string> fields;
        for (int i = 0; i < 5; ++i) {
            fields.push_back(line.substr(0, line.find(',')));
            line.erase(0, line.find(',') + 1);
        }
        std::erase(line, '"');
        cells[{collective_named(fields[0]).value(), std::stoull(fields[1])}].push_back(
            {Recipe::parse(line), std::stod(fields[2]) * 1e-6});
    }
    return cells;
}

/// Quality of the replay's order of the recipes.
struct Judged {
    double first, of_three;  // time lost against the best recipe, as a share
    double deviation;        // median of |log(predicted / measured)|
};

Judged judged(Replay& replay, Collective collective, Bytes bytes, const std::vector<Timed>& cell) {
    std::vector<std::pair<Seconds, Seconds>> times;  // predicted, measured
    std::vector<double> deviations;
    Seconds best = unlimited;
    for (const auto& [recipe, seconds] : cell)
        if (const auto predicted = replay(recipe, collective, bytes, {})) {
            times.emplace_back(*predicted, seconds);
            deviations.push_back(std::abs(std::log(*predicted / seconds)));
            best = std::min(best, seconds);
        }
    std::sort(times.begin(), times.end());
    const Seconds of_three = std::min({times.at(0).second, times.at(1).second, times.at(2).second});
    return {times[0].second / best - 1, of_three / best - 1, median(deviations)};
}

class OnNamespaces : public testing::Test {
protected:
    /// Judges each cell, prints the verdict and calls `look` with it.
    template <class Look>
    void judge(const Machine& machine, const std::string& file, std::size_t count, Look&& look) {
        Replay replay(machine, placement_of_layout("8x4"));
        const Cells cells = read_cells(ECHELON_SOURCE_DIR "/tests/data/" + file);
        ASSERT_EQ(cells.size(), count);
        for (const auto& [call, cell] : cells) {
            const Judged one = judged(replay, call.first, call.second, cell);
            std::printf("%-10s %6zu bytes   first %3.0f %%   best of three %2.0f %%   deviation %.2f\n",
                        std::string(name(call.first)).c_str(), call.second, 100 * one.first,
                        100 * one.of_three, one.deviation);
            look(one);
        }
    }
};

TEST_F(OnNamespaces, the_replay_of_this_network_finds_the_best) {
    const auto line = [](Seconds latency, BytesPerSecond rate) {
        return Protocol{.one_way = {{{0, {latency, 1 / rate}}}}};
    };
    judge({.inside = line(5e-6, 2e9), .between = line(5e-3, 2.4e6), .card = 2.4e6}, "namespaces_8x4.csv", 4,
          [](const Judged& one) {
              EXPECT_LE(one.first, 0.02);
              EXPECT_LE(one.of_three, 0.01);
              EXPECT_LE(one.deviation, 0.3);
          });
}

TEST_F(OnNamespaces, so_does_a_machine_that_was_never_fitted_to_it) {
    judge(built_in_machine(), "namespaces_8x4_at_once.csv", 8, [](const Judged& one) {
        EXPECT_LE(one.first, 0.05);
        EXPECT_LE(one.of_three, 0.02);
    });
}

/// A sum of phases replays two or three nodes, in which half of the messages stay inside: the price for all
/// nodes was half of the truth.
TEST(Extrapolated, blocks_for_all_ranks_leave_their_nodes_as_often_as_among_all_of_them) {
    const Placement placement = placement_of_layout("12x12");
    const Machine machine = seated(built_in_machine(), placement);
    Predictor predictor(machine, placement);
    Replay replay(machine, placement);
    const Recipe direct = Recipe::parse("direct");
    constexpr Bytes bytes = 1 << 20;
    for (const Collective collective : {Collective::allreduce, Collective::reduce, Collective::bcast}) {
        const Seconds whole = replay(direct, collective, bytes, {}).value(),
                      sum = predictor.sum(direct, collective, bytes, {}).value().seconds;
        EXPECT_NEAR(sum / whole, 1, 0.25) << name(collective);
    }
}

/// A quick price replayed all ranks of two nodes, which made decisions slow.
TEST(Extrapolated, what_is_alike_for_all_ranks_of_a_node_takes_as_long_with_fewer_of_them) {
    for (const char* layout : {"2x64", "3x40", "2x48 cyclic", "1x96"}) {
        const Placement placement = placement_of_layout(layout);
        const Machine machine = seated(built_in_machine(), placement);
        Predictor quick(machine, placement, nullptr, Detail::quick);
        Replay replay(machine, placement);
        for (const auto& [collective, row] : {std::pair{Collective::alltoall, "linear"},
                                              {Collective::allgather, "linear"},
                                              {Collective::allreduce, "direct"},
                                              {Collective::reduce_scatter, "linear"}})
            for (const Bytes bytes : {Bytes(64) << 10, Bytes(4) << 20}) {
                const Recipe recipe = Recipe::parse(row);
                const Seconds sum = quick.sum(recipe, collective, bytes, {}).value().seconds,
                              whole = replay(recipe, collective, bytes, {}).value();
                EXPECT_NEAR(sum / whole, 1, 0.25) << layout << ' ' << name(collective) << ' ' << bytes;
            }
    }
}

}  // namespace
}  // namespace echelon
