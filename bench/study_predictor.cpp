// SPDX-License-Identifier: Apache-2.0
// What the choice where nothing was measured is worth, on clusters that nobody has seen: drawn by a seed,
// their truth a replay on a machine of other numbers than the built-in one. usage: study_predictor [SEED]
// [CLUSTERS]
#include "bench/broad_list.hpp"
#include "estimators/built_in_machine.hpp"
#include "estimators/decide.hpp"
#include "estimators/replay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>

namespace {

using namespace echelon;

/// Numbers that are the same with every standard library.
class Draw {
public:
    explicit Draw(unsigned seed) : engine_(seed) {}
    int number(int from, int to) { return from + int(engine_() % unsigned(to - from + 1)); }
    /// Evenly in the logarithm.
    double spread(double from, double to) {
        return from * std::pow(to / from, double(engine_()) / double(std::mt19937::max()));
    }

private:
    std::mt19937 engine_;
};

struct Cluster {
    std::string words;
    Placement placement;
    Machine machine;
};

/// 24 to 256 ranks on nodes that are even or not, one after the other, in turns or shuffled; times over two
/// orders.
Cluster draw_cluster(Draw& draw) {
    std::vector<int> nodes;
    const int node_count = draw.number(3, 24), ranks = draw.number(1, 12);
    const bool uneven = draw.number(0, 1) == 1;
    int largest = 0;
    do {
        for (int node = 0; node < node_count; ++node) {
            const int here = uneven ? draw.number(std::max(1, ranks - 3), ranks) : ranks;
            largest = std::max(largest, here);
            nodes.insert(nodes.end(), std::size_t(here), node);
        }
    } while (nodes.size() < 24);
    if (nodes.size() > 256) nodes.resize(256);
    const int order = draw.number(0, 2);
    if (order == 1) {  // in turns
        std::vector<int> met(std::size_t(node_count), 0), turn;
        for (const int node : nodes) turn.push_back(met[std::size_t(node)]++ * node_count + node);
        std::sort(turn.begin(), turn.end());
        for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = turn[i] % node_count;
    }
    if (order == 2)
        for (std::size_t i = nodes.size() - 1; i > 0; --i)
            std::swap(nodes[i], nodes[std::size_t(draw.number(0, int(i)))]);
    std::vector<Seat> seats(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) seats[i].node = std::uint64_t(nodes[i]);

    const Seconds inside = draw.spread(3e-7, 3e-6), between = inside * draw.spread(2, 100);
    const BytesPerSecond rate = draw.spread(1e8, 1e10), memory = rate * draw.spread(1, 10);
    const auto line = [&](Seconds latency, BytesPerSecond own) {
        return Protocol{.one_way = {{{0, {latency, 2 / own}}, {8192, {1.5 * latency, 1 / own}}}},
                        .overhead = latency / draw.spread(3, 30),
                        .rendezvous_from = Bytes(1) << draw.number(12, 17)};
    };
    Cluster made{.words = {},
                 .placement = Placement::from(seats),
                 .machine = {.inside = line(inside, memory),
                             .between = line(between, rate),
                             .card = rate * draw.spread(1, 3),
                             .memory = memory * draw.spread(1, 8),
                             .gamma = 1 / draw.spread(1e9, 1e10)}};
    constexpr std::array orders{"in order", "in turns", "shuffled"};
    made.words = std::to_string(nodes.size()) + " ranks on " + std::to_string(made.placement.node_count()) +
                 " nodes, " + orders[std::size_t(order)];
    return made;
}

/// What MPI libraries do by themselves: flat algorithms by size.
Recipe library_choice(Collective collective, Bytes bytes) {
    const bool is_short = bytes <= 2048;
    if (collective == Collective::allreduce)
        return Recipe::parse(is_short ? "recursive_doubling" : "rabenseifner");
    if (collective == Collective::reduce) return Recipe::parse(is_short ? "binomial" : "rabenseifner");
    return Recipe::parse(bytes <= 12288 ? "binomial" : "scatter_allgather");
}

Recipe node_leaders(Collective collective, Bytes bytes, const char* groups) {
    const bool is_short = bytes <= 65536;
    const std::string outer = collective == Collective::allreduce
                                  ? (is_short ? "recursive_doubling" : "rabenseifner")
                              : is_short                        ? "binomial"
                              : collective == Collective::bcast ? "scatter_allgather"
                                                                : "rabenseifner";
    return Recipe::parse(std::string("leaders(") + groups + ", binomial, " + outer + ')');
}

/// One way to choose, over all cells.
struct Way {
    const char* name;
    double lost = 0, over_library = 0, slower = 0, worst = 0;
    int cells = 0;

    void add(Seconds chosen, Seconds best, Seconds library) {
        lost += chosen / best - 1;
        worst = std::max(worst, chosen / best - 1);
        over_library += std::log(chosen / library);
        slower += chosen > 1.02 * library ? 1 : 0;
        ++cells;
    }
};

}  // namespace

int main(int count, char** words) {
    const unsigned seed = count > 1 ? unsigned(std::atoi(words[1])) : 1;
    const int clusters = count > 2 ? std::atoi(words[2]) : 20;
    std::array ways{Way{"sqrt(p) leaders"},
                    Way{"node leaders"},
                    Way{"prior, its first"},
                    Way{"prior, best of its first 3"},
                    Way{"prior, best of its first 3 and the library"},
                    Way{"replay on the true machine, its first"}};
    Draw draw(seed);
    for (int i = 0; i < clusters; ++i) {
        const Cluster cluster = draw_cluster(draw);
        std::printf("cluster %d: %s\n", i + 1, cluster.words.c_str());
        std::fflush(stdout);
        Replay truth(cluster.machine, cluster.placement);
        Decider prior(built_in_profile(), cluster.placement);
        Decider fitted(
            std::make_shared<const Profile>(Profile{.parameters = Parameters{.machine = cluster.machine}}),
            cluster.placement);
        for (const Collective collective : {Collective::allreduce, Collective::reduce, Collective::bcast})
            for (const Bytes bytes : {Bytes(8), Bytes(4096), Bytes(65536), Bytes(1) << 20}) {
                const auto time = [&](const Recipe& recipe) {
                    return truth(recipe, collective, bytes, {}).value_or(unlimited);
                };
                const auto first = [&](Decider& decider) {
                    return decider.decide(collective, bytes, {}, Policy::model, Decider::Reasons::left_out)
                        .ranked.front()
                        .recipe;
                };
                const Seconds library = time(library_choice(collective, bytes));
                const Seconds by_prior = time(first(prior)), by_fitted = time(first(fitted));
                Seconds of_three = unlimited;
                for (const Recipe& one : prior.chosen(collective, bytes, {}, Policy::model).rivals)
                    of_three = std::min(of_three, time(one));
                Seconds best = std::min({library, by_prior, by_fitted, of_three});
                for (const Recipe& one : bench::broad_list(collective, cluster.placement))
                    best = std::min(best, time(one));
                const std::array times{time(node_leaders(collective, bytes, "sqrt")),
                                       time(node_leaders(collective, bytes, "node")),
                                       by_prior,
                                       of_three,
                                       std::min(of_three, library),
                                       by_fitted};
                for (std::size_t way = 0; way < ways.size(); ++way) ways[way].add(times[way], best, library);
            }
    }
    std::printf(
        "| way to choose | lost against the best, mean | at worst | time over the library's | slower than it |\n"
        "|---|---|---|---|---|\n");
    for (const Way& way : ways)
        std::printf("| %s | %.1f %% | %.0f %% | %.2f | %.0f %% |\n", way.name, 100 * way.lost / way.cells,
                    100 * way.worst, std::exp(way.over_library / way.cells), 100 * way.slower / way.cells);
}
