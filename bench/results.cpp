// SPDX-License-Identifier: Apache-2.0
#include "bench/results.hpp"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>

namespace echelon::bench {
namespace {

/// In double quotes, as RFC 4180 has it.
std::string quoted(const std::string& text) {
    std::string made = "\"";
    for (const char c : text) made += c == '"' ? std::string("\"\"") : std::string(1, c);
    return made + '"';
}

nlohmann::ordered_json to_json(const Machine& machine) {
    return {{"host", machine.host},
            {"processor", machine.processor},
            {"cores", machine.cores},
            {"mpi", machine.mpi},
            {"echelon", machine.echelon},
            {"date", machine.date},
            {"ranks", machine.ranks},
            {"nodes", machine.nodes},
            {"simulated", machine.simulated},
            {"crowded", machine.crowded},
            {"start", machine.common_clock ? "common instant" : "barrier"},
            {"type", machine.type},
            {"op", machine.op},
            {"root", machine.root},
            {"repetitions", machine.repetitions}};
}

nlohmann::ordered_json to_json(const Result& result) {
    return {{"collective", name(result.cell.collective)},
            {"bytes", result.cell.bytes},
            {"ranks", result.ranks},
            {"recipe", result.recipe},
            {"source", result.source},
            {"median_s", result.time.seconds.median},
            {"low_s", result.time.seconds.low},
            {"high_s", result.time.seconds.high},
            {"correct", result.time.correct}};
}

nlohmann::ordered_json to_json(const RegretSummary& summary) {
    return {{"mean", summary.mean},
            {"p95", summary.p95},
            {"max", summary.max},
            {"worst_against_native", summary.worst_against_native}};
}

nlohmann::ordered_json to_json(const RegretCell& cell) {
    nlohmann::ordered_json json{{"collective", name(cell.collective)},
                                {"bytes", cell.bytes},
                                {"chosen", cell.chosen},
                                {"source", cell.source},
                                {"best", cell.best},
                                {"seconds", cell.seconds},
                                {"best_seconds", cell.best_seconds},
                                {"native_seconds", cell.native_seconds},
                                {"regret", cell.regret()},
                                {"against_native", cell.against_native()},
                                {"noise", cell.noise},
                                {"recipes", cell.recipes}};
    for (const auto& [name, recipe, seconds] : cell.others)
        json["others"][name] = {{"recipe", recipe}, {"seconds", seconds}};
    return json;
}

}  // namespace

void print_heading(std::ostream& out, Collective collective, const Machine& machine) {
    out << "\n# echelon-bench " << machine.echelon << ": " << name(collective) << " of " << machine.type;
    if (collective != Collective::bcast) out << ", " << machine.op;
    if (rooted(collective)) out << ", root " << machine.root;
    out << ", " << machine.ranks << " ranks on " << machine.nodes << (machine.nodes == 1 ? " node" : " nodes")
        << "\n# " << machine.mpi << "; median of the slowest rank's times with its 95 % confidence interval\n"
        << "# Size      Median(us)     Low(us)    High(us)  Iterations  Correct  Recipe\n";
}

void print_line(std::ostream& out, const Result& result) {
    const auto& [seconds, repetitions, calls, correct] = result.time;
    out << std::left << std::setw(8) << result.cell.bytes << std::right << std::fixed << std::setprecision(2)
        << std::setw(14) << seconds.median * 1e6 << std::setw(12) << seconds.low * 1e6 << std::setw(12)
        << seconds.high * 1e6 << std::setw(12) << repetitions * std::size_t(calls) << std::setw(9)
        << (correct ? "yes" : "WRONG") << "  " << result.recipe;
    if (result.source != "library" && result.source != "hint") out << "  (chosen: " << result.source << ')';
    out << '\n';
}

void write_csv(std::ostream& out, const std::vector<Result>& results) {
    out << "collective,bytes,ranks,recipe,source,median_s,low_s,high_s,correct\n" << std::setprecision(9);
    for (const Result& result : results)
        out << name(result.cell.collective) << ',' << result.cell.bytes << ',' << result.ranks << ','
            << quoted(result.recipe) << ',' << result.source << ',' << result.time.seconds.median << ','
            << result.time.seconds.low << ',' << result.time.seconds.high << ','
            << (result.time.correct ? "true" : "false") << '\n';
}

void write_json(std::ostream& out, const Machine& machine, const std::vector<Result>& results,
                const std::vector<Skipped>& skipped) {
    nlohmann::ordered_json all;
    all["machine"] = to_json(machine);
    all["results"] = nlohmann::ordered_json::array();
    for (const Result& result : results) all["results"].push_back(to_json(result));
    all["skipped"] = nlohmann::ordered_json::array();
    for (const Skipped& one : skipped)
        all["skipped"].push_back({{"collective", name(one.cell.collective)},
                                  {"bytes", one.cell.bytes},
                                  {"recipe", one.recipe},
                                  {"reason", one.reason}});
    out << all.dump(1) << '\n';
}

void write_json(std::ostream& out, const Machine& machine, const std::vector<RegretCell>& cells) {
    nlohmann::ordered_json all, regret = to_json(summary_of(cells));
    std::vector<std::string> names;
    for (const RegretCell& cell : cells)
        for (const auto& other : cell.others)
            if (std::find(names.begin(), names.end(), other.name) == names.end()) names.push_back(other.name);
    for (const std::string& name : names) regret["by_choice"][name] = to_json(summary_of(cells, name));
    regret["cells"] = nlohmann::ordered_json::array();
    for (const RegretCell& cell : cells) regret["cells"].push_back(to_json(cell));
    all["machine"] = to_json(machine);
    all["regret"] = std::move(regret);
    out << all.dump(1) << '\n';
}

}  // namespace echelon::bench
