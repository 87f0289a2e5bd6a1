// SPDX-License-Identifier: Apache-2.0
// Value of the replay's choice on unknown clusters.
//
//   study_predictor drawn SEED CLUSTERS
//       clusters drawn by a seed; their truth is a plain replay of every recipe on a machine with other
//       numbers than the built-in one: loss by missing knowledge, and by the decision's shortcuts
//   study_predictor sites SEED CLUSTERS
//       clusters on two or three sites
//   study_predictor measured CLUSTER...
//       CLUSTER.csv by echelon-bench, CLUSTER.hosts (the node of each rank), CLUSTER.json (a profile with the
//       machine's parameters) and, if there is one, CLUSTER.calibrated (the same by a calibration): loss by
//       choosing with a replay, and deviations of its times
#include "bench/broad_list.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/statistics.hpp"
#include "estimators/choice/decide.hpp"
#include "estimators/fit/measured_table.hpp"
#include "estimators/price/replay.hpp"
#include "estimators/profile/built_in_machine.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>

namespace {

using namespace echelon;

/// Random numbers that do not depend on the standard library.
class Draw {
public:
    explicit Draw(unsigned seed) : engine_(seed) {}
    int number(int from, int to) { return from + int(engine_() % unsigned(to - from + 1)); }
    /// Uniform in the logarithm.
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

/// 24 to 256 ranks on even or uneven nodes, in blocks, in turns or shuffled; times over two orders of
/// magnitude.
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
    std::vector<Location> locations(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) locations[i].node = std::uint64_t(nodes[i]);

    const Seconds inside = draw.spread(3e-7, 3e-6), between = inside * draw.spread(2, 100);
    const BytesPerSecond rate = draw.spread(1e8, 1e10), memory = rate * draw.spread(1, 10);
    const auto line = [&](Seconds latency, BytesPerSecond own) {
        const Seconds overhead = latency / draw.spread(3, 30);
        return Protocol{.one_way = {{{0, {latency, 2 / own}}, {8192, {1.5 * latency, 1 / own}}}},
                        .send_overhead = Table::constant(overhead),
                        .receive_overhead = Table::constant(overhead),
                        .rendezvous_from = Bytes(1) << draw.number(12, 17)};
    };
    Cluster made{.words = {},
                 .placement = Placement::from(locations),
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

/// Puts the nodes on two or three distant sites, connected by a shared line.
void put_on_sites(Cluster& cluster, Draw& draw) {
    const int nodes = cluster.placement.node_count(), sites = draw.number(2, 3);
    const auto near = std::get<Protocol>(cluster.machine.between);
    const double farther = draw.spread(5, 200), slower = draw.spread(1, 20);
    Beyond site{.network = near, .uplink = cluster.machine.card * draw.spread(0.1, 4)};
    for (auto& piece : std::get<Protocol>(site.network).one_way.pieces) {
        piece.model.alpha *= farther;
        piece.model.beta *= slower;
    }
    for (int node = 0; node < nodes; ++node) site.of_node.push_back(node * sites / nodes);
    std::vector<Location> locations;
    for (const int node : cluster.placement.nodes())
        locations.push_back(
            {.node = std::uint64_t(node), .region = {.site = std::uint64_t(1 + node * sites / nodes)}});
    cluster.placement = Placement::from(locations);
    cluster.words += ", " + std::to_string(sites) + " sites";
    cluster.machine.beyond.push_back(std::move(site));
}

/// Typical choices of MPI libraries: flat algorithms by size.
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

/// One method of choice, over all cells.
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
    /// Per cent.
    double mean() const { return 100 * lost / std::max(1, cells); }
};

template <std::size_t N>
void print(const std::array<Way, N>& ways) {
    fmt::print(
        "| way to choose | lost against the best, mean % | at worst % | time over the library's | slower than it, % of cells |\n"
        "|---|---:|---:|---:|---:|\n");
    for (const Way& way : ways)
        if (way.cells > 0)
            fmt::print("| {} | {:.1f} | {:.0f} | {:.2f} | {:.0f} |\n", way.name, way.mean(), 100 * way.worst,
                       std::exp(way.over_library / way.cells), 100 * way.slower / way.cells);
}

/// The link in MPI_Init's view.
Hockney seen_link(const Network& between) {
    constexpr double few = 8, many = 32 << 10;
    const Seconds short_one = message_time(between, few);
    return {short_one, (message_time(between, many) - short_one) / (many - few)};
}

void drawn(unsigned seed, int clusters, bool on_sites) {
    std::array ways{Way{"sqrt(p) leaders"},
                    Way{"node leaders"},
                    Way{"prior, its first"},
                    Way{"prior, best of its first 3"},
                    Way{"prior, best of its first 3 and the library"},
                    Way{"prior that has seen a message, its first"},
                    Way{"prior that has seen a message, best of its first 3 and the library"},
                    Way{"replay on the true machine, its first"},
                    Way{"the same without what is beyond its nodes"}};
    Draw draw(seed);
    for (int i = 0; i < clusters; ++i) {
        Cluster cluster = draw_cluster(draw);
        if (on_sites) put_on_sites(cluster, draw);
        fmt::print("cluster {}: {}\n", i + 1, cluster.words);
        std::fflush(stdout);
        Replay truth(cluster.machine, cluster.placement);
        Decider prior(built_in_profile(), cluster.placement, Width::few);
        Decider seeing(built_in_profile(false, seen_link(cluster.machine.between)), cluster.placement,
                       Width::few);
        Decider fitted(
            std::make_shared<const Profile>(Profile{.parameters = Parameters{.machine = cluster.machine}}),
            cluster.placement);
        Machine flat = cluster.machine;
        flat.beyond.clear();
        Decider flattened(
            std::make_shared<const Profile>(Profile{.parameters = Parameters{.machine = std::move(flat)}}),
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
                const Recipe chosen = first(fitted);
                const Seconds by_prior = time(first(prior)), by_fitted = time(chosen);
                std::vector<Recipe> all = bench::broad_list(collective, cluster.placement);
                const auto best_tried = [&](Decider& decider) {
                    Seconds least = unlimited;
                    for (const Recipe& one : decider.chosen(collective, bytes, {}, Policy::model).rivals) {
                        least = std::min(least, time(one));
                        all.push_back(one);
                    }
                    return least;
                };
                const Seconds of_three = best_tried(prior), of_three_seeing = best_tried(seeing);
                all.insert(all.end(),
                           {chosen, first(prior), first(seeing), library_choice(collective, bytes)});
                Seconds best = unlimited;
                Recipe of_best;
                for (const Recipe& one : all)
                    if (const Seconds taken = time(one); taken < best) best = taken, of_best = one;
                const std::array times{time(node_leaders(collective, bytes, "sqrt")),
                                       time(node_leaders(collective, bytes, "node")),
                                       by_prior,
                                       of_three,
                                       std::min(of_three, library),
                                       time(first(seeing)),
                                       std::min(of_three_seeing, library),
                                       by_fitted,
                                       on_sites ? time(first(flattened)) : by_fitted};
                for (std::size_t way = 0; way < ways.size(); ++way) ways[way].add(times[way], best, library);
                if (by_fitted > 1.1 * best)
                    fmt::print("  {} {}: the decision's {} loses {:.0f} % to {}\n", name(collective),
                               format_bytes(bytes), to_string(chosen), 100 * (by_fitted / best - 1),
                               to_string(of_best));
            }
    }
    print(ways);
}

/// `text`: the node of each rank; `regions`: the places of nodes.
Placement placement_of_hosts(const std::string& text, const std::vector<Inhabitants>& regions) {
    std::istringstream lines(text);
    std::map<std::string, std::uint64_t> nodes;
    std::map<std::string, Region> region_of;
    for (const Inhabitants& one : regions)
        for (const std::string& host : one.hosts) region_of[host] = one.region;
    std::vector<Location> locations;
    for (std::string host; std::getline(lines, host);)
        locations.push_back(
            {.node = nodes.try_emplace(host, nodes.size()).first->second, .region = region_of[host]});
    return Placement::from(locations);
}

/// Times of recipes without native parts, and of the library's own collective.
struct MeasuredCell {
    std::vector<std::pair<Recipe, Seconds>> recipes;
    Seconds native = 0;
};

/// Loss of the first recipe in the replay's order, and of the best of its first three. `off`: receives the
/// relative deviations of all times.
std::pair<double, double> lost_by(Replay& replay, Collective collective, Bytes bytes,
                                  const MeasuredCell& cell, std::vector<double>& off) {
    std::vector<std::pair<Seconds, Seconds>> order;  // predicted, measured
    Seconds best = unlimited;
    for (const auto& [recipe, seconds] : cell.recipes) {
        order.emplace_back(replay(recipe, collective, bytes, {}).value_or(unlimited), seconds);
        best = std::min(best, seconds);
        if (order.back().first < unlimited) off.push_back(std::abs(order.back().first / seconds - 1));
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Seconds of_three = unlimited;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i)
        of_three = std::min(of_three, order[i].second);
    return {order.front().second / best - 1, of_three / best - 1};
}

void measured(std::span<const std::string> clusters) {
    fmt::print(
        "| cluster | ranks | nodes | cells | first choice of the replay, mean % | at worst % | built-in machine, mean % | "
        "the library's own, mean % |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
    std::array ways{Way{"replay on the machine as told, its first"},
                    Way{"the best of its first 3"},
                    Way{"replay on the built-in machine, its first"},
                    Way{"the best of its first 3"},
                    Way{"the library's own"},
                    Way{"replay on the built-in machine that has seen a message, its first"},
                    Way{"the best of its first 3"},
                    Way{"replay on the calibrated machine, its first"},
                    Way{"the best of its first 3"}};
    std::vector<double> off_told, off_calibrated, others;
    for (const std::string& cluster : clusters) {
        const Parameters parameters = Profile::parse(read_file(cluster + ".json")).parameters.value();
        const Placement placement = placement_of_hosts(read_file(cluster + ".hosts"), parameters.regions);
        std::map<std::pair<Collective, Bytes>, MeasuredCell> cells;
        for (const MeasuredLine& line : read_table(read_file(cluster + ".csv"), 0, 1)) {
            MeasuredCell& cell = cells[{line.collective, line.bytes}];
            const Recipe recipe = Recipe::parse(line.algorithm);
            if (recipe.kind == Recipe::Kind::native)
                cell.native = line.seconds;
            else if (!recipe.has_native_parts())
                cell.recipes.emplace_back(recipe, line.seconds);
        }
        Replay told(parameters.machine, placement), built_in(built_in_machine(), placement),
            seeing(built_in_machine(false, seen_link(parameters.machine.between)), placement);
        std::optional<Replay> calibrated;
        if (const std::string file = cluster + ".calibrated"; std::filesystem::exists(file)) {
            const Parameters own = Profile::parse(read_file(file)).parameters.value();
            calibrated.emplace(own.machine, placement_of_hosts(read_file(cluster + ".hosts"), own.regions));
        }
        std::array here{ways[0], ways[2], ways[4]};
        for (Way& way : here) way = Way{way.name};
        for (const auto& [which, cell] : cells) {
            const auto& [collective, bytes] = which;
            const auto one = [](const auto& a, const auto& b) { return a.second < b.second; };
            const Seconds best = std::min_element(cell.recipes.begin(), cell.recipes.end(), one)->second;
            const auto [first, three] = lost_by(told, collective, bytes, cell, off_told);
            const auto [prior, prior_three] = lost_by(built_in, collective, bytes, cell, others);
            const auto [seen, seen_three] = lost_by(seeing, collective, bytes, cell, others);
            const std::array lost{first, three,     prior, prior_three, std::max(0.0, cell.native / best - 1),
                                  seen,  seen_three};
            if (calibrated) {
                const auto [own, own_three] = lost_by(*calibrated, collective, bytes, cell, off_calibrated);
                ways[lost.size()].add(best * (1 + own), best, cell.native);
                ways[lost.size() + 1].add(best * (1 + own_three), best, cell.native);
            }
            for (std::size_t i = 0; i < lost.size(); ++i) {
                const Seconds time = best * (1 + lost[i]);
                ways[i].add(time, best, cell.native);
                if (i % 2 == 0 && i / 2 < here.size()) here[i / 2].add(time, best, cell.native);
            }
        }
        fmt::print("| {} | {} | {} | {} | {:.1f} | {:.0f} | {:.1f} | {:.1f} |\n",
                   cluster.substr(cluster.rfind('/') + 1), placement.size(), placement.node_count(),
                   here[0].cells, here[0].mean(), here[0].worst * 100, here[1].mean(), here[2].mean());
        std::fflush(stdout);
    }
    fmt::print("\n");
    print(ways);
    for (auto& [machine, off] : {std::pair("told", &off_told), {"calibrated", &off_calibrated}}) {
        if (off->empty()) continue;
        std::ranges::sort(*off);
        fmt::print(
            "\nTimes on the machine as {}: {} recipes, off by {:.1f} % in the median, four of five by at most {:.1f} %.\n",
            machine, off->size(), 100 * quantile(*off, 0.5), 100 * quantile(*off, 0.8));
    }
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> given(words + 1, words + count);
    try {
        if (given.size() == 3 && (given[0] == "drawn" || given[0] == "sites"))
            drawn(unsigned(std::stoul(given[1])), std::stoi(given[2]), given[0] == "sites");
        else if (given.size() > 1 && given[0] == "measured")
            measured(std::span(given).subspan(1));
        else
            throw Error(
                "usage: study_predictor drawn|sites SEED CLUSTERS, or study_predictor measured CLUSTER...");
    } catch (const std::exception& error) {
        fmt::print(stderr, "study_predictor: {}\n", error.what());
        return 1;
    }
    return 0;
}
