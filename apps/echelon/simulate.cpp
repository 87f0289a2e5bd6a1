// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/network_option.hpp"
#include "apps/echelon/subcommand.hpp"

#include "core/checker.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "estimators/readable.hpp"
#include "estimators/simulator.hpp"
#include "estimators/svg.hpp"
#include "estimators/trace.hpp"
#include "hier/recorded_site.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <iostream>
#include <sstream>

namespace echelon::tool {
namespace {

namespace po = boost::program_options;

po::options_description visible_options() {
    po::options_description options("options");
    options.add_options()("help,h", "this text")  //
        ("collective,c", po::value<std::string>()->default_value("allreduce"),
         "reduce, allreduce, bcast, barrier, ...")                    //
        ("ranks,p", po::value<int>()->required(), "number of ranks")  //
        ("bytes,b", po::value<std::string>()->default_value("1K"),
         "bytes of the vector, such as 8, 4K, 1M")                                                     //
        ("element", po::value<std::string>()->default_value("4"), "bytes of one element")              //
        ("root,r", po::value<int>()->default_value(0), "root of a rooted collective")                  //
        ("ordered", "combine in rank order, as operations that do not commute need")                   //
        ("ranks-per-node", po::value<int>()->default_value(1), "consecutive ranks that share a node")  //
        ("check", "prove the schedule; exit code 0 only if it is proved")                              //
        ("quiet,q", "do not print the schedule")                                                       //
        ("time", "replay it under the model and print when it ends")                                   //
        ("model,m", po::value<std::string>()->default_value("hockney:alpha=10us,beta=1ns"),
         "network between nodes: hockney:alpha=,beta=  loggp:L=,o=,g=,G=  postal:alpha_p=,alpha_r=,beta=")  //
        ("inside", po::value<std::string>(), "network inside a node; else the same")                        //
        ("gamma", po::value<std::string>()->default_value("0.3ns"), "time to combine a byte")               //
        ("svg", po::value<std::string>(), "draw a timeline of up to 64 ranks into this file")               //
        ("trace", po::value<std::string>(),
         "write a timeline of any number of ranks, for ui.perfetto.dev or chrome://tracing");
    return options;
}

Placement placement_of(int p, int ranks_per_node) {
    std::vector<Seat> seats;
    for (int rank = 0; rank < p; ++rank) seats.push_back({.node = std::uint64_t(rank / ranks_per_node)});
    return Placement::from(seats);
}

int at_least_1(const po::variables_map& given, const char* option) {
    const int number = given[option].as<int>();
    if (number < 1)
        throw Error(std::string(option) + " is " + std::to_string(number) + "; it must be 1 or more");
    return number;
}

Call call_of(const po::variables_map& given, int p) {
    const auto collective = collective_named(given["collective"].as<std::string>());
    if (!collective)
        throw Error("collective '" + given["collective"].as<std::string>() +
                    "' is unknown; such as allreduce, reduce, bcast");
    const Bytes element = parse_bytes(given["element"].as<std::string>());
    if (element == 0) throw Error("an element has 1 byte or more");
    const int root = given["root"].as<int>();
    if (root < 0 || root >= p)
        throw Error("root " + std::to_string(root) + " is none of the ranks 0 to " + std::to_string(p - 1));
    std::size_t count = parse_bytes(given["bytes"].as<std::string>()) / element;
    if (*collective == Collective::barrier) count = 0;
    if (*collective == Collective::alltoall) count -= count % std::size_t(p);
    return {.collective = *collective,
            .count = count,
            .element_size = element,
            .root = root,
            .operation = {given.count("ordered") != 0, true}};
}

/// A program of steps is kept for every rank.
constexpr int most_ranks = 100'000;

bool has_native_parts(const Recipe& recipe) {
    return recipe.kind == Recipe::Kind::native ||
           std::any_of(recipe.parts.begin(), recipe.parts.end(), has_native_parts);
}

/// What nobody can read is not drawn: 512 ranks made 312 MB.
void check_readable(const Timeline& timeline, int p) {
    constexpr std::size_t most_bars = 20'000;
    if (p > 64 || timeline.intervals.size() > most_bars)
        throw Error("--svg: " + std::to_string(timeline.intervals.size()) + " bars of " + std::to_string(p) +
                    " ranks are more than one can read; --trace writes a file that Perfetto opens");
}

Machine machine_of(const po::variables_map& given, int p) {
    const Network between = parse_network(given["model"].as<std::string>());
    return {.inside = given.count("inside") != 0 ? parse_network(given["inside"].as<std::string>()) : between,
            .between = between,
            .nodes = block_nodes(p, given["ranks-per-node"].as<int>()),
            .gamma = parse_seconds(given["gamma"].as<std::string>())};
}

}  // namespace

int simulate(const std::vector<std::string>& arguments) {
    if (std::find(arguments.begin(), arguments.end(), "--") != arguments.end())
        return simulate_program(arguments);
    const po::options_description visible = visible_options();
    po::options_description all;
    all.add(visible).add_options()("recipe", po::value<std::string>()->required());
    po::positional_options_description positional;
    positional.add("recipe", 1);
    po::variables_map given;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).run(), given);
    if (given.count("help") != 0) {
        std::cout
            << "usage: echelon simulate -p RANKS [options] RECIPE\n\n"
               "Prints what each rank does, one step a line: echelon simulate -p 13 --check 'binary_blocks'\n"
               "Programs: echelon simulate --platform gige -n 512 -- ./app; see echelon simulate --help --\n"
            << visible;
        return done;
    }
    po::notify(given);

    const int p = at_least_1(given, "ranks"), ranks_per_node = at_least_1(given, "ranks-per-node");
    const Call call = call_of(given, p);
    const Recipe recipe = Recipe::parse(given["recipe"].as<std::string>());
    if (p > most_ranks)
        throw Error("ranks is " + std::to_string(p) + "; at most " + std::to_string(most_ranks) +
                    " are simulated here");
    if (has_native_parts(recipe))
        throw Error(
            "native is what the MPI library does, which is not known without it: simulate a flat algorithm in its "
            "place, or measure with echelon-bench");
    const Placement placement = placement_of(p, ranks_per_node);
    const Machine machine = machine_of(given, p);
    const std::string what = std::string(name(call.collective)) + ' ' + to_string(recipe) + ", " +
                             std::to_string(p) + " ranks, " + format_bytes(call.count * call.element_size) +
                             " bytes";

    const Schedule schedule = record(recipe, call, placement);
    if (given.count("quiet") == 0) std::cout << to_string(schedule);
    if (given.count("time") != 0 || given.count("svg") != 0 || given.count("trace") != 0) {
        Timeline timeline;
        const Seconds end = echelon::simulate(schedule, machine, &timeline).makespan();
        std::cout << what << ": " << readable(end) << " under " << given["model"].as<std::string>() << '\n';
        if (given.count("svg") != 0) {
            check_readable(timeline, p);
            write_file(given["svg"].as<std::string>(), to_svg(timeline, p, {.title = what}));
        }
        if (given.count("trace") != 0) {
            std::ostringstream text;
            write_trace(text, timeline, p, what);
            write_file(given["trace"].as<std::string>(), text.str());
        }
    }
    if (given.count("check") != 0) {
        const Verdict verdict = check(schedule, {.collective = call.collective,
                                                 .count = call.count,
                                                 .root = call.root,
                                                 .in_order = call.operation.in_order});
        std::cout << what << (verdict ? ": proved\n" : ": NOT proved: " + verdict.reason + '\n');
        if (!verdict) return failed;
    }
    return done;
}

}  // namespace echelon::tool
