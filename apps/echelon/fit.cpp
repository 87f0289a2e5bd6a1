// SPDX-License-Identifier: Apache-2.0
#include "apps/echelon/profile_option.hpp"
#include "apps/echelon/read_options.hpp"
#include "apps/echelon/subcommand.hpp"

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/words.hpp"
#include "estimators/fit/fit_samples.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "estimators/fit/learn_native_surrogates.hpp"
#include "estimators/fit/measured_table.hpp"
#include "estimators/network/readable.hpp"
#include "groups/layout.hpp"

#include <fmt/format.h>
#include <iostream>
#include <set>

namespace echelon::tool {
namespace {

namespace po = boost::program_options;

std::vector<MeasuredLine> lines_of(const std::string& file, const std::string& layout) {
    int nodes = 0, ranks_per_node = 0;
    if (!layout.empty()) {
        const Placement placement = placement_of_layout(layout);
        nodes = placement.node_count();
        ranks_per_node = placement.size() / nodes;
        if (nodes * ranks_per_node != placement.size())
            throw Error("--layout " + layout + ": tables are of nodes with equally many ranks, as in 8x4");
    }
    const std::string table = read_file(file);
    try {
        return read_table(table, nodes, ranks_per_node);
    } catch (const Error& error) {
        throw Error("table " + file + ": " + error.what());
    }
}

/// Keeps the lines of one machine: times of two machines do not make a profile.
void keep_machine(std::vector<MeasuredLine>& lines, const std::string& machine) {
    std::set<std::string> machines;
    for (const MeasuredLine& one : lines) machines.insert(one.machine);
    const std::string known = joined(machines, ", ");
    if (machine.empty() && machines.size() > 1)
        throw Error("the table is of several machines: say by --machine which of " + known);
    if (machine.empty()) return;
    if (!machines.contains(machine))
        throw Error("the table has no lines of --machine " + machine +
                    (known.empty() ? "; it names no machine" : "; it has " + known));
    std::erase_if(lines, [&](const MeasuredLine& one) { return one.machine != machine; });
}

}  // namespace

int fit_table(const std::vector<std::string>& arguments) {
    po::options_description options("options");
    options.add_options()("help,h", "this text")                                            //
        ("table", po::value<std::string>(), "the measurements, as comma separated values")  //
        ("output,o", po::value<std::string>()->default_value("profile.json"),
         "the profile that is written")  //
        ("layout", po::value<std::string>()->default_value(""),
         "nodes and ranks a node of all lines, as in 8x4, where the table does not say")  //
        ("machine", po::value<std::string>()->default_value(""),
         "the one that is meant, of several in the table");
    const po::variables_map given = read_options(
        arguments,
        "usage: echelon fit TABLE.csv -o PROFILE.json [options]\n\n"
        "Makes a profile from measured times of collectives, without running MPI. The table's first line "
        "names its columns:\ncollective, nodes, ranks_per_node, bytes, algorithm, and seconds or median_us; "
        "docs/profile.md has more.\n",
        options, {}, po::positional_options_description().add("table", 1));
    if (given.count("table") == 0) throw Error("give a table: echelon fit table.csv -o profile.json");
    const std::string file = given["table"].as<std::string>(), output = given["output"].as<std::string>();
    check_writable(output);
    auto lines = lines_of(file, given["layout"].as<std::string>());
    keep_machine(lines, given["machine"].as<std::string>());
    TableSamples table = samples_of(lines);
    for (const auto& [collective, algorithm, count] : table.left_out)
        std::cerr << fmt::format("left out: {} {} ({} {}): no row of the catalog does this\n",
                                 name(collective), algorithm, count, count == 1 ? "line" : "lines");
    Profile profile;
    try {
        profile.parameters = fit_samples(table.samples);
    } catch (const Error& error) {
        throw Error("table " + file + ": " + error.what());
    }
    profile.samples = std::move(table.samples);
    learn_corrections(profile);
    learn_likenesses(profile);
    write_file(output, to_json(profile));
    const Machine& machine = profile.parameters->machine;
    std::cout << fmt::format(
        "{} samples of {} lines; a typical sample is {:.0f} % from its replay\n"
        "  messages between nodes  {}\n  messages inside a node  {}\n  combining a byte        {}\n",
        profile.samples.size(), lines.size(), 100 * profile.parameters->residual, readable(machine.between),
        readable(machine.inside), readable(machine.gamma));
    return done;
}

}  // namespace echelon::tool
