// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/available_memory.hpp"
#include "apps/echelon/network_option.hpp"
#include "apps/echelon/profile_option.hpp"
#include "apps/echelon/read_options.hpp"
#include "apps/echelon/subcommand.hpp"

#include "core/checker.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/table.hpp"
#include "core/units.hpp"
#include "core/words.hpp"
#include "estimators/simulator/simulator.hpp"
#include "estimators/simulator/svg.hpp"
#include "estimators/simulator/trace.hpp"
#include "hier/lists.hpp"
#include "hier/recorded_team.hpp"
#include "hier/recording_size.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

namespace echelon::tool {
namespace {

namespace po = boost::program_options;

po::options_description visible_options() {
    po::options_description options("options");
    options.add_options()("help,h", "this text")  //
        ("collective,c", po::value<std::string>()->default_value("allreduce"),
         "reduce, allreduce, bcast, barrier, ...")  //
        ("ranks,p", po::value<std::string>()->default_value(""),
         "number of ranks; several, such as 8,12,64..512, make a table")  //
        ("bytes,b", po::value<std::string>()->default_value("1K"),
         "bytes of the vector, such as 8, 4K, 1M; or several")  //
        ("groups", po::value<std::string>(),
         "a table over numbers of groups, such as 2..64, in place of a shape's own groups")  //
        ("shares", po::value<std::string>(),
         "lengths of the ranks' blocks, in turn, such as 1,0,5, of which the last share is five times the first")  //
        ("element", po::value<std::string>()->default_value("4"), "bytes of one element")              //
        ("root,r", po::value<int>()->default_value(0), "root of a rooted collective")                  //
        ("ordered", "combine in rank order, as operations that do not commute need")                   //
        ("ranks-per-node", po::value<int>()->default_value(1), "consecutive ranks that share a node")  //
        ("layout", po::value<std::string>()->default_value(""),
         "or both, as profiles say it: 16x4, 16x4 cyclic, 15x4+1x2")       //
        ("check", "prove the schedule; exit code 0 only if it is proved")  //
        ("quiet,q", "do not print the schedule")                           //
        ("time", "replay it under the model and print when it ends")       //
        ("model,m", po::value<std::string>()->default_value("hockney:alpha=10us,beta=1ns"),
         "network between nodes: hockney:alpha=,beta=  loggp:L=,o=,g=,G=  postal:alpha_p=,alpha_r=,beta=")  //
        ("inside", po::value<std::string>(), "network inside a node; else the same")                        //
        ("window", po::value<std::string>(),
         "what shm takes through memory that ranks of a node share: hand_over=60ns,copy=0.1ns; without it, messages go")  //
        ("gamma", po::value<std::string>()->default_value("0.3ns"), "time to combine a byte")  //
        ("svg", po::value<std::string>(), "draw a timeline of up to 64 ranks into this file")  //
        ("trace", po::value<std::string>(),
         "write a timeline of any number of ranks, for ui.perfetto.dev or chrome://tracing")  //
        ("csv", "print times alone, a line for each recipe, number of ranks and size")        //
        ("json", "the same as JSON");
    return options;
}

Placement placement_of(const po::variables_map& given, int p) {
    return ranks_on_nodes(p, given["ranks-per-node"].as<int>(), given["layout"].as<std::string>());
}

/// The numbers of ranks; that of the layout if they are not given.
std::vector<Bytes> ranks_of(const po::variables_map& given) {
    const auto& ranks = given["ranks"].as<std::string>();
    return ranks.empty() ? std::vector{Bytes(placement_of(given, 0).size())} : numbers_of(given, "ranks");
}

/// One line of a table.
struct Cell {
    Recipe recipe;
    int p;
    Bytes bytes;
};

/// The starts of the ranks' blocks by --shares, and the end of the last one.
std::vector<std::size_t> starts_of(const po::variables_map& given, int p, std::size_t count) {
    const std::vector<Bytes> shares = numbers_of(given, "shares");
    const auto share = [&](int rank) { return double(shares[std::size_t(rank) % shares.size()]); };
    double all = 0, before = 0;
    for (int rank = 0; rank < p; ++rank) all += share(rank);
    if (all == 0) throw Error("--shares: no rank has a share; expected numbers such as 1,0,5");
    std::vector<std::size_t> starts{0};
    for (int rank = 0; rank < p; ++rank)
        starts.push_back(rank == p - 1 ? count : std::size_t(double(count) * (before += share(rank)) / all));
    return starts;
}

Call call_of(const po::variables_map& given, const Cell& cell) {
    const Collective collective = parse_collective(given["collective"].as<std::string>());
    const Bytes element = read_as(given, "element", parse_bytes);
    if (element == 0) throw Error("--element: expected a size from 1 on, such as 8");
    const int root = given["root"].as<int>();
    if (root < 0 || root >= cell.p)
        throw Error("root " + std::to_string(root) + " is none of the ranks 0 to " +
                    std::to_string(cell.p - 1));
    std::size_t count = cell.bytes / element;
    if (collective == Collective::barrier) count = 0;
    if (collective == Collective::alltoall) count -= count % std::size_t(cell.p);
    std::optional<GivenBlocks> blocks;
    if (given.count("shares") != 0) {
        if (!in_blocks(collective) || collective == Collective::alltoall)
            throw Error("--shares: " + std::string(name(collective)) + " has no block for each rank");
        blocks = GivenBlocks{Blocks({0, count}, starts_of(given, cell.p, count))};
    }
    return {.collective = collective,
            .count = count,
            .element_size = element,
            .root = root,
            .operation = {given.count("ordered") != 0, true},
            .given = std::move(blocks)};
}

/// The recipe, or with --groups the recipe on each of these numbers of groups.
std::vector<Recipe> on_groups(const po::variables_map& given, const Recipe& recipe) {
    if (given.count("groups") == 0) return {recipe};
    if (!recipe.is_shape())
        throw Error("--groups: '" + to_string(recipe) +
                    "' has no groups; give a shape, such as leaders(sqrt, binomial, ring)");
    std::vector<Recipe> made;
    for (const Bytes number : numbers_of(given, "groups")) {
        if (number < 1 || number > Bytes(most_ranks))
            throw Error("--groups: '" + std::to_string(number) + "' is none of the numbers from 1 to " +
                        std::to_string(most_ranks));
        made.push_back(recipe);
        made.back().groups = Groups::count(int(number));
    }
    return made;
}

/// All cells: recipes, then numbers of ranks, then sizes.
std::vector<Cell> cells_of(const po::variables_map& given) {
    std::vector<Cell> cells;
    const auto ranks = ranks_of(given), sizes = sizes_of(given, "bytes");
    for (const std::string& text : split(given["recipe"].as<std::string>(), ';')) {
        const Recipe recipe = Recipe::parse(text);
        if (recipe.kind == Recipe::Kind::native || recipe.has_native_parts())
            throw Error(
                "'" + text +
                "': native collectives cannot be simulated here, where no MPI library is: give a recipe of flat "
                "algorithms, or run a program on SMPI's by echelon simulate --platform NAME -- ./app");
        for (const Bytes p : ranks) {
            if (p < 1 || p > most_ranks)
                throw Error("--ranks: '" + std::to_string(p) + "' is none of the numbers from 1 to " +
                            std::to_string(most_ranks));
            for (const Recipe& one : on_groups(given, recipe))
                for (const Bytes bytes : sizes) cells.push_back({one, int(p), bytes});
        }
    }
    if (cells.empty()) throw Error("give a recipe, such as ring; or several between semicolons");
    return cells;
}

/// Refuses to draw a picture that is too large to read.
void check_readable(const Timeline& timeline, const PhaseSpans& phases, int p) {
    constexpr std::size_t most_bars = 20'000;
    const std::size_t bars = timeline.intervals.size() + phases.spans.size();
    if (p > 64 || bars > most_bars)
        throw Error("--svg: " + std::to_string(bars) + " bars of " + std::to_string(p) +
                    " ranks are more than one can read; --trace writes a file that Perfetto opens");
}

Machine machine_of(const po::variables_map& given, int p) {
    const Network between = read_as(given, "model", parse_network);
    const Placement placement = placement_of(given, p);
    std::vector<int> nodes;
    for (int rank = 0; rank < p; ++rank) nodes.push_back(placement.node(rank));
    return {.inside = given.count("inside") != 0 ? read_as(given, "inside", parse_network) : between,
            .between = between,
            .nodes = std::move(nodes),
            .gamma = read_as(given, "gamma", parse_seconds),
            .window = given.count("window") != 0
                          ? std::optional(read_as(given, "window", parse_shared_memory))
                          : std::nullopt};
}

std::string text_of(const Call& call, const Cell& cell) {
    return fmt::format("{} {}, {} ranks, {} bytes", name(call.collective), to_string(cell.recipe), cell.p,
                       format_bytes(call.count * call.element_size));
}

std::optional<WindowShape> window_of(const po::variables_map& given) {
    return given.count("window") != 0 ? std::optional(WindowShape()) : std::nullopt;
}

/// Resources that a cell takes in total.
struct Demand {
    double steps, bytes;
};

/// The estimate stops when the schedule alone takes more than `most_bytes`; it is then too low.
Demand demand_of(const po::variables_map& given, const Cell& cell, double most_bytes) {
    const Call call = call_of(given, cell);
    const RecordingSize size =
        recording_size(cell.recipe, call, placement_of(given, cell.p), window_of(given), most_bytes);
    Demand made{size.steps, size.bytes};
    const auto asked = [&](const char* option) { return given.count(option) != 0; };
    if (asked("time") || asked("svg") || asked("trace") || asked("csv") || asked("json"))
        made.bytes += size.bytes;
    constexpr double line = 40, bar = 200, contribution = 8;  // bytes
    if (!asked("quiet") && !asked("csv") && !asked("json")) made.bytes += line * size.steps;
    if (asked("svg") || asked("trace")) made.bytes += bar * size.steps;
    // The checker keeps the contributors of each element of input, result and scratch space.
    if (asked("check")) made.bytes += contribution * (2.0 * cell.p * double(call.count) + size.scratch);
    return made;
}

/// Error: memory does not suffice. Checked before the work, which might run for hours first. Standard error
/// tells the size of work that a user has to wait for.
void check_fits(const po::variables_map& given, const Cell& cell, const std::string& what) {
    const double available = available_memory();
    const Demand wanted = demand_of(given, cell, available);
    if (wanted.bytes <= available) {
        constexpr double many = 5e6;
        if (wanted.steps > many)
            std::cerr << fmt::format("{}: some {:.2g} steps, which take {:.3g} GB of memory\n", what,
                                     wanted.steps, 1e-9 * wanted.bytes);
        return;
    }
    Cell smaller = cell;
    const int least = std::max(1, given["root"].as<int>() + 1);
    do smaller.p /= 2;
    while (smaller.p > least && demand_of(given, smaller, available).bytes > available);
    throw Error(fmt::format(
        "{}: {:.2g} or more steps would take {:.3g} GB of memory or more, and {:.3g} GB are left{}", what,
        wanted.steps, 1e-9 * wanted.bytes, 1e-9 * available,
        smaller.p > least ? fmt::format("; {} ranks fit", smaller.p) : ""));
}

Schedule recorded(const po::variables_map& given, const Cell& cell, const Call& call,
                  PhaseSpans* phases = nullptr) {
    check_fits(given, cell, text_of(call, cell));
    return record(cell.recipe, call, placement_of(given, cell.p), window_of(given), phases);
}

/// The group of each rank in the outermost shape; empty if there is only one group.
std::vector<int> groups_of(const po::variables_map& given, const Cell& cell) {
    std::vector<int> made;
    if (!cell.recipe.groups) return made;
    const Partition partition = resolve(*cell.recipe.groups, cell.p, placement_of(given, cell.p));
    if (partition.group_count() == 1) return made;
    for (int rank = 0; rank < cell.p; ++rank) made.push_back(partition.group_of(rank));
    return made;
}

Verdict proof(const Schedule& schedule, const Call& call) {
    std::vector<std::size_t> starts;
    for (int rank = 0; call.given && rank <= schedule.size(); ++rank)
        starts.push_back(rank == schedule.size() ? call.count : call.given->blocks[rank].offset);
    return check(schedule, {.collective = call.collective,
                            .count = call.count,
                            .root = call.root,
                            .starts = starts,
                            .in_order = call.operation.in_order});
}

int simulate_one(const po::variables_map& given, const Cell& cell) {
    const int p = cell.p;
    const Call call = call_of(given, cell);
    const Machine machine = machine_of(given, p);
    const std::string what = text_of(call, cell);
    for (const char* const drawn : {"svg", "trace"})
        if (given.count(drawn) != 0) check_writable(given[drawn].as<std::string>());
    PhaseSpans phases;
    const bool draws = given.count("svg") != 0 || given.count("trace") != 0;
    const Schedule schedule = recorded(given, cell, call, draws ? &phases : nullptr);
    if (given.count("quiet") == 0) std::cout << to_string(schedule);
    if (given.count("time") != 0 || draws) {
        Timeline timeline;
        const Seconds end = echelon::simulate(schedule, machine, draws ? &timeline : nullptr).makespan();
        std::cout << what << ": " << readable(end) << " under " << given["model"].as<std::string>() << '\n';
        if (given.count("svg") != 0) {
            check_readable(timeline, phases, p);
            write_file(given["svg"].as<std::string>(),
                       to_svg(timeline, p,
                              {.title = what,
                               .origin = "simulated under " + given["model"].as<std::string>(),
                               .phases = phase_bars(phases, schedule, timeline),
                               .names = phases.names,
                               .groups = groups_of(given, cell)}));
        }
        if (given.count("trace") != 0) {
            std::ostringstream text;
            const TracedCall traced{.title = what + ", simulated",
                                    .collective = name(call.collective),
                                    .recipe = to_string(cell.recipe),
                                    .bytes = call.count * call.element_size};
            write_trace(text, traced, schedule, phases, timeline);
            write_file(given["trace"].as<std::string>(), text.str());
        }
    }
    if (given.count("check") == 0) return done;
    const Verdict verdict = proof(schedule, call);
    std::cout << what << (verdict ? ": proved\n" : ": NOT proved: " + verdict.reason + '\n');
    return verdict ? done : failed;
}

/// The line of a cell. Its text needs no escapes in CSV: no name has a quote or a backslash.
nlohmann::ordered_json line_of(const po::variables_map& given, const Cell& cell, const Call& call,
                               const Schedule& schedule) {
    const Machine machine = machine_of(given, cell.p);
    return {
        {"collective", name(call.collective)},
        {"bytes", call.count * call.element_size},
        {"ranks", cell.p},
        {"ranks_per_node", ranks_per_node(placement_of(given, cell.p))},
        {"recipe", to_string(cell.recipe)},
        {"simulated_s", std::stod(fmt::format("{:.7g}", echelon::simulate(schedule, machine).makespan()))},
        {"model", given["model"].as<std::string>()}};
}

void print_row(const nlohmann::ordered_json& line) {
    std::vector<std::string> fields;
    for (const auto& value : line)
        fields.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    std::cout << csv_line(fields) << std::flush;
}

/// Tells on standard error, every two seconds, how much of a long table is done.
class Progress {
public:
    explicit Progress(std::size_t all) : all_(all) {}
    void done() {
        ++done_;
        const auto now = Clock::now();
        if (now - told_ < std::chrono::seconds(2)) return;
        told_ = now;
        std::cerr << fmt::format("{} of {} times\n", done_, all_);
    }

private:
    using Clock = std::chrono::steady_clock;
    std::size_t all_, done_ = 0;
    Clock::time_point told_ = Clock::now();
};

/// Prints times only. It leaves out cells that a recipe cannot serve, and reports them.
int simulate_table(const po::variables_map& given, const std::vector<Cell>& cells) {
    for (const char* const drawn : {"svg", "trace"})
        if (given.count(drawn) != 0)
            throw Error("--" + std::string(drawn) + " draws one recipe on one number of ranks, of one size");
    auto lines = nlohmann::ordered_json::array();
    bool proved = true;
    std::set<std::pair<std::string, std::string>> said;
    const bool json = given.count("json") != 0;
    if (!json) std::cout << "collective,bytes,ranks,ranks_per_node,recipe,simulated_s,model\n";
    Progress progress(cells.size());
    for (const Cell& cell : cells) {
        const Call call = call_of(given, cell);
        try {
            const Schedule schedule = recorded(given, cell, call);
            lines.push_back(line_of(given, cell, call, schedule));
            if (!json) print_row(lines.back());
            progress.done();
            if (given.count("check") == 0) continue;
            if (const Verdict verdict = proof(schedule, call); !verdict) {
                std::cerr << text_of(call, cell) << ": NOT proved: " << verdict.reason << '\n';
                proved = false;
            }
        } catch (const Error& error) {
            if (said.emplace(to_string(cell.recipe), error.what()).second)
                std::cerr << "left out: " << text_of(call, cell) << " and others like it: " << error.what()
                          << '\n';
        }
    }
    if (json) std::cout << lines.dump(1) << '\n';
    return proved && !lines.empty() ? done : failed;
}

}  // namespace

int simulate(const std::vector<std::string>& arguments) {
    if (std::find(arguments.begin(), arguments.end(), "--") != arguments.end())
        return simulate_program(arguments);
    const po::options_description visible = visible_options();
    po::options_description hidden;
    hidden.add_options()("recipe", po::value<std::string>()->default_value(""));
    const po::variables_map given = read_options(
        arguments,
        "usage: echelon simulate -p RANKS [options] RECIPE\n\n"
        "Prints what each rank does, one step a line: echelon simulate -p 13 --check 'binary_blocks'\n"
        "Tables of times: echelon simulate -p 16..256 -b 8,1K..1M 'ring; rabenseifner' >times.csv\n"
        "Time against the number of groups: echelon simulate -p 128 -b 1M --groups 2..64 'leaders(sqrt, chain, chain)' -c bcast >groups.csv\n"
        "Programs: echelon simulate --platform gige -n 512 -- ./app; see echelon simulate --help --\n",
        visible, hidden, po::positional_options_description().add("recipe", 1));
    const auto cells = cells_of(given);
    const bool table = cells.size() > 1 || given.count("csv") != 0 || given.count("json") != 0;
    return table ? simulate_table(given, cells) : simulate_one(given, cells.front());
}

}  // namespace echelon::tool
