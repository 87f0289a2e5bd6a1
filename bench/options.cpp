// SPDX-License-Identifier: Apache-2.0
#include "bench/options.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/spelling.hpp"
#include "core/words.hpp"
#include "hier/lists.hpp"
#include "options/command_line.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

namespace echelon::bench {
namespace {

namespace po = boost::program_options;

/// Options as texts, not yet parsed.
struct Texts {
    std::string collectives, bytes, recipes, type, op, calibration_bytes, parts;
};

po::options_description described(Options& options, Texts& texts) {
    const auto text = [](std::string& target) { return po::value(&target)->value_name("LIST"); };
    po::options_description all("Options", 100);
    auto add = all.add_options();
    add("collectives,c", text(texts.collectives)->default_value("allreduce,reduce,bcast"),
        ("what is measured: `all`, or some of " + joined(collective_names(), ", ")).c_str());
    add("bytes,b", text(texts.bytes)->default_value("8,1K,64K,1M"),
        "sizes of the vector: numbers with K, M or G (powers of 1024), or 8..1M for each power of two between; where "
        "each rank has a block, of all blocks together, rounded up to whole elements in each");
    add("recipes", text(texts.recipes)->default_value("all"),
        "recipes between semicolons, such as \"ring; leaders(sqrt, binomial, ring)\"; `all`: a broad list for "
        "each collective; `auto`: what Echelon chooses by itself. The MPI library's own collective (native) always "
        "takes part");
    add("repetitions", po::value(&options.repetitions)->value_name("N")->default_value(30),
        "measurements of each recipe, taken in turns");
    add("warm-up", po::value(&options.warm_up)->value_name("N")->default_value(2), "calls before them");
    add("time-budget", po::value(&options.time_budget)->value_name("SECONDS")->default_value(0, "none"),
        "for everything together: with less time there are fewer repetitions, but at least 3");
    add("root,r", po::value(&options.root)->value_name("RANK")->default_value(0),
        "of reduce, bcast, gather and scatter");
    add("type", po::value(&texts.type)->value_name("TYPE")->default_value("int"), "int, float or double");
    add("op", po::value(&texts.op)->value_name("OP")->default_value("sum"), "sum, max or min");
    add("check", "compare the results with what they must be, before and after measuring (the default)");
    add("no-check", "do not: for vectors that are too large for it");
    add("regret",
        "what the automatic choice costs: calibrates, measures all recipes (and those that the model "
        "proposes beyond them), and compares the best with what is chosen");
    add("trials",
        "with --regret: the choice is measured when its trials in running calls are over (always, where "
        "times are not simulated)");
    add("profile", po::value(&options.profile)->value_name("FILE"),
        "with --regret: do not calibrate, use this");
    add("calibration", po::value(&options.calibration)->value_name("SECONDS")->default_value(100),
        "with --regret: time for the calibration");
    add("calibration-bytes", text(texts.calibration_bytes)->default_value("8..4M"),
        "with --regret: the sizes that are calibrated; other sizes are between them");
    add("parts", text(texts.parts)->default_value("all"),
        "with --regret: communicators that are asked, by the profile of all ranks: some of all, half, quarter, strided "
        "(every 4th rank), row, column (of a grid of all ranks)");
    add("json", po::value(&options.json)->value_name("FILE"), "write machine and results as JSON");
    add("csv", po::value(&options.csv)->value_name("FILE"), "write the results as CSV");
    add("communicators", po::value(&options.communicators)->value_name("N")->default_value(0, "one a recipe"),
        "let the recipes share so many, at the price of another call before each measurement");
    add("crowded", "there are more ranks than processors: those that wait give theirs away");
    add("verbose", "say what each recipe resolves to, and how it is measured");
    add("help,h", "this text");
    add("version,v", "print Echelon's and the MPI library's version");
    return all;
}

void parse_recipes(const std::string& text, Options& options) {
    for (const std::string& part : split(text, ';')) {
        if (part == "all") {
            options.all_recipes = true;
        } else if (part == "auto") {
            options.automatic = true;
        } else {
            try {
                const Recipe recipe = Recipe::parse(part);
                const bool again = std::find(options.recipes.begin(), options.recipes.end(), recipe) !=
                                   options.recipes.end();
                if (recipe.kind != Recipe::Kind::native && !again) options.recipes.push_back(recipe);
            } catch (const Error& error) {
                throw WrongUse(std::string("--recipes: ") + error.what());
            }
        }
    }
    if (options.all_recipes && !options.recipes.empty())
        throw WrongUse("--recipes: give a list or `all`, not both");
}

template <class Named>
auto parse_name(const char* option, const std::string& text, const std::vector<std::string>& known,
                Named&& named) {
    const auto value = named(text);
    if (!value) throw WrongUse(std::string(option) + ": " + is_none_of(text, known));
    return *value;
}

void check_numbers(const Options& options, int p) {
    if (options.repetitions < 1) throw WrongUse("--repetitions: expected a number from 1 on");
    if (options.warm_up < 0) throw WrongUse("--warm-up: expected a number from 0 on");
    if (!(options.time_budget >= 0)) throw WrongUse("--time-budget: expected seconds, 0 for no limit");
    if (options.communicators < 0)
        throw WrongUse("--communicators: expected a number from 0 on, 0 for one a recipe");
    if (options.root < 0 || options.root >= p)
        throw WrongUse("--root " + std::to_string(options.root) + ": ranks are 0 to " +
                       std::to_string(p - 1));
    const Bytes element = size_of(options.type);
    for (const Bytes bytes : options.bytes) {
        if (bytes % element != 0 || bytes == 0)
            throw WrongUse("--bytes " + format_bytes(bytes) + ": expected a multiple of the " +
                           std::to_string(element) + " bytes of " + std::string(name(options.type)));
        if (bytes / element > Bytes(std::numeric_limits<int>::max()))
            throw WrongUse(
                "--bytes " + format_bytes(bytes) +
                ": the MPI library's own collectives, which take part, take at most 2^31 - 1 elements");
    }
}

}  // namespace

std::vector<Collective> parse_collectives(const std::string& text) {
    std::vector<Collective> collectives;
    for (const std::string& part : split(text, ',')) {
        if (part == "all") return {all_collectives.begin(), all_collectives.end()};
        const auto collective = collective_named(part);
        if (!collective) throw WrongUse("--collectives: " + is_none_of(part, collective_names()));
        if (std::find(collectives.begin(), collectives.end(), *collective) == collectives.end())
            collectives.push_back(*collective);
    }
    if (collectives.empty())
        throw WrongUse("--collectives: expected some of " + joined(collective_names(), ", "));
    return collectives;
}

std::vector<Bytes> parse_sizes(const std::string& text) {
    try {
        return parse_size_list(text);
    } catch (const Error& error) {
        throw WrongUse(std::string("--bytes: ") + error.what());
    }
}

Options parse_options(int argc, const char* const* argv, int p) {
    Options options;
    Texts texts;
    try {
        const po::variables_map given = parsed({argv + 1, argv + argc}, described(options, texts));
        options.verbose = given.count("verbose") != 0;
        options.help = given.count("help") != 0;
        options.version = given.count("version") != 0;
        options.check = given.count("no-check") == 0;
        options.crowded = given.count("crowded") != 0;
        options.regret = given.count("regret") != 0;
        options.trials = given.count("trials") != 0;
        if (!options.check && given.count("check") != 0)
            throw WrongUse("--check and --no-check exclude each other");
    } catch (const po::error& error) {
        throw WrongUse(error.what());
    }
    if (options.help || options.version) return options;
    options.collectives = parse_collectives(texts.collectives);
    options.bytes = parse_sizes(texts.bytes);
    options.calibration_bytes = parse_sizes(texts.calibration_bytes);
    options.type = parse_name("--type", texts.type, {"int", "float", "double"}, type_named);
    options.op = parse_name("--op", texts.op, {"sum", "max", "min"}, op_named);
    for (const std::string& part : split(texts.parts, ',')) options.parts.push_back(part_named(part, p));
    if (options.parts.empty())
        throw WrongUse("--parts: expected some of all, half, quarter, strided, row, column");
    parse_recipes(texts.recipes, options);
    check_numbers(options, p);
    return options;
}

std::string problem_of_outputs(std::initializer_list<std::pair<const char*, std::string>> files) {
    for (const auto& [option, path] : files) {
        if (path.empty()) continue;
        try {
            check_writable(path);
        } catch (const Error& error) {
            return std::string(option) + ": " + error.what();
        }
    }
    return "";
}

std::string help_text() {
    Options options;
    Texts texts;
    std::ostringstream text;
    text
        << "echelon-bench: measures collectives, each by many recipes and by the MPI library itself.\n\n"
           "  mpiexec -n 8 echelon-bench --collectives allreduce --bytes 8,1K,64K --recipes \"ring; leaders(sqrt, "
           "binomial, ring)\"\n\n"
           "Every rank begins a measurement at the same instant; its time is that of the slowest rank. The recipes take\n"
           "turns, so that noise hits all alike. Printed is the median with its 95 % confidence interval, the fastest first, and\n"
           "how many times faster than the MPI library it is. Files are written again after each size. The time of an\n"
           "allreduce too short for the clock is the mean of several calls back to back.\n\n"
        << described(options, texts)
        << "\nExit codes: 0, 1 (a result was wrong, or something failed), 2 (wrong use).\n";
    return text.str();
}

}  // namespace echelon::bench
