// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/profile_option.hpp"
#include "apps/echelon/read_options.hpp"
#include "apps/echelon/subcommand.hpp"

#include "core/error.hpp"
#include "core/table.hpp"
#include "core/words.hpp"
#include "estimators/choice/explain.hpp"
#include "hier/lists.hpp"

#include <fmt/format.h>
#include <iostream>
#include <limits>

namespace echelon::tool {
namespace {

namespace po = boost::program_options;

/// The profile of --profile or the usual one. Prints the name of a usual one to standard error, because
/// standard output may be JSON or CSV.
std::shared_ptr<const Profile> profile_of(const po::variables_map& given, int ranks_per_node) {
    const auto& named = given["profile"].as<std::string>();
    const std::string file = file_or_usual_profile(named, ranks_per_node);
    if (file != named) std::cerr << "profile " << file << '\n';
    return read_profile(file);
}

/// Text for CSV: an unknown time is empty.
std::string known(Seconds time) { return time > 0 ? fmt::format("{:g}", time) : ""; }

}  // namespace

int explain_call(const std::vector<std::string>& arguments) {
    po::options_description options("options");
    options.add_options()("help,h", "this text")  //
        ("profile", po::value<std::string>()->default_value("", "what programs go by here"),
         "what echelon-calibrate wrote, or a folder of such")  //
        ("collective,c", po::value<std::string>()->default_value("allreduce"),
         "reduce, allreduce, bcast, barrier, ...")                                                     //
        ("ranks,p", po::value<int>()->default_value(0), "number of ranks")                             //
        ("ranks-per-node", po::value<int>()->default_value(1), "consecutive ranks that share a node")  //
        ("layout", po::value<std::string>()->default_value(""),
         "or both, as profiles say it: 16x4, 16x4 cyclic, 15x4+1x2")  //
        ("bytes,b", po::value<std::string>()->default_value("1K"),
         "bytes of the vector, such as 8, 4K, 1M")                               //
        ("ordered", "for an operation that does not commute")                    //
        ("exact", "for an operation that does not round, such as integer sums")  //
        ("policy", po::value<std::string>()->default_value("model"),
         "model, sqrt, rabenseifner2004, native, formula:hockney, formula:plogp")  //
        ("recipes", po::value<std::string>()->default_value(""),
         "what the model says of these, too, between semicolons")  //
        ("all", "print all candidates, not the first ten alone")   //
        ("json", "print JSON");
    const po::variables_map given =
        read_options(arguments,
                     "usage: echelon explain -p RANKS [options]\n\n"
                     "Says what runs for a call under a profile, and why: echelon explain -p 64 "
                     "--ranks-per-node 4 -c allreduce -b 64K\n",
                     options);
    const Policy policy = parse_policy(given["policy"].as<std::string>());
    const Collective collective = parse_collective(given["collective"].as<std::string>());
    const Placement placement = ranks_on_nodes(given["ranks"].as<int>(), given["ranks-per-node"].as<int>(),
                                               given["layout"].as<std::string>());
    const Bytes bytes = collective == Collective::barrier ? 0 : read_as(given, "bytes", parse_bytes);
    std::vector<Recipe> asked;
    for (const std::string& text : split(given["recipes"].as<std::string>(), ';'))
        asked.push_back(Recipe::parse(text));
    Advisor advisor(profile_of(given, ranks_per_node(placement)), placement);
    advisor.set_policy(collective, {}, policy);
    const Explanation explanation =
        explain(advisor, collective, bytes,
                {.in_order = given.count("ordered") != 0, .exact = given.count("exact") != 0}, asked);
    constexpr std::size_t few = 10;
    if (given.count("json") != 0)
        std::cout << to_json(explanation);
    else
        std::cout << to_text(explanation,
                             given.count("all") != 0 ? std::numeric_limits<std::size_t>::max() : few);
    return done;
}

int print_map(const std::vector<std::string>& arguments) {
    po::options_description options("options");
    options.add_options()("help,h", "this text")  //
        ("profile", po::value<std::string>()->default_value("", "what programs go by here"),
         "what echelon-calibrate wrote, or a folder of such")  //
        ("collective,c", po::value<std::string>()->default_value("allreduce"),
         "reduce, allreduce, bcast, barrier")                                                          //
        ("ranks,p", po::value<std::string>()->default_value("2..512"), "numbers of ranks")             //
        ("ranks-per-node", po::value<int>()->default_value(1), "consecutive ranks that share a node")  //
        ("bytes,b", po::value<std::string>()->default_value("8..4M"), "sizes of the vector")           //
        ("policy", po::value<std::string>()->default_value("model"),
         "model, sqrt, rabenseifner2004, native, formula:hockney, formula:plogp");
    const po::variables_map given = read_options(
        arguments,
        "usage: echelon map [options]\n\n"
        "Prints a line for each number of ranks and size: what is chosen, the seconds that it and the native collective\n"
        "should take (empty: not known), the number of groups (1: flat), and the fastest that is not native.\n",
        options);
    const Policy policy = parse_policy(given["policy"].as<std::string>());
    const Collective collective = parse_collective(given["collective"].as<std::string>());
    const auto ranks = numbers_of(given, "ranks"), sizes = sizes_of(given, "bytes");
    for (const Bytes p : ranks)
        if (p < 1 || p > most_ranks)
            throw Error("--ranks: '" + std::to_string(p) + "' is none of the numbers from 1 to " +
                        std::to_string(most_ranks));
    const auto profile = profile_of(given, given["ranks-per-node"].as<int>());
    std::cout << "collective,p,layout,bytes,chosen,source,expected_s,native_s,groups,fastest,fastest_s\n";
    for (const Bytes p : ranks) {
        Advisor advisor(profile, ranks_on_nodes(int(p), given["ranks-per-node"].as<int>(), ""));
        advisor.set_policy(collective, {}, policy);
        for (const Bytes bytes : sizes) {
            const auto advice = advisor.advise(collective, bytes, {.in_order = false, .exact = false});
            const Decision decision =
                advisor.decider().decide(collective, bytes, {.in_order = false, .exact = false}, policy);
            // The fastest of our recipes, even if native was never measured and there is no expected gain.
            const Candidate* fastest = nullptr;
            for (const Candidate& one : decision.ranked)
                if (one.recipe.kind != Recipe::Kind::native &&
                    (fastest == nullptr || one.expected < fastest->expected))
                    fastest = &one;
            std::cout << csv_line({std::string(name(collective)), std::to_string(p),
                                   advisor.decider().layout(), std::to_string(bytes),
                                   to_string(advice.recipe), std::string(name(advice.source)),
                                   known(decision.expected), known(decision.native),
                                   std::to_string(advisor.decider().best_groups(
                                       collective, bytes, {.in_order = false, .exact = false})),
                                   fastest == nullptr ? "" : to_string(fastest->recipe),
                                   known(fastest == nullptr ? 0 : fastest->expected)});
        }
    }
    return done;
}

}  // namespace echelon::tool
