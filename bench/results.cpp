// SPDX-License-Identifier: Apache-2.0
#include "bench/results.hpp"

#include "core/statistics.hpp"
#include "core/table.hpp"

#include <fmt/ranges.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

namespace echelon::bench {
namespace {

std::string number_text(double number) { return fmt::format("{:.9g}", number); }

const TextTable results_table({{"# Size", 10, TextTable::Side::left},
                               {"Median(us)", 11},
                               {"Low(us)", 11},
                               {"High(us)", 11},
                               {"Speedup", 8},
                               {"from", 5},
                               {"to", 5},
                               {"Iterations", 11},
                               {"Correct", 8},
                               {"Recipe", 0, TextTable::Side::left}},
                              "");

const char* start_text(const Machine& machine) { return machine.common_clock ? "common instant" : "barrier"; }

nlohmann::ordered_json to_json(const Machine& machine) {
    return {{"host", machine.host},
            {"processor", machine.processor},
            {"cores", machine.cores},
            {"mpi", machine.mpi},
            {"echelon", machine.echelon},
            {"date", machine.date},
            {"ranks", machine.ranks},
            {"nodes", machine.nodes},
            {"layout", machine.layout},
            {"simulated", machine.simulated},
            {"crowded", machine.crowded},
            {"start", start_text(machine)},
            {"type", machine.type},
            {"op", machine.op},
            {"root", machine.root},
            {"repetitions", machine.repetitions},
            {"command", machine.command},
            {"binding", machine.binding},
            {"load", machine.load < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(machine.load)},
            {"governor", machine.governor}};
}

/// Figures of a result's times in both files, by name.
std::vector<std::pair<std::string, double>> numbers(const Result& result) {
    std::vector<double> sorted = result.time.samples;
    std::sort(sorted.begin(), sorted.end());
    const MedianInterval& seconds = result.time.seconds;
    return {{"median_s", seconds.median},
            {"low_s", seconds.low},
            {"high_s", seconds.high},
            {"min_s", sorted.front()},
            {"p25_s", quantile(sorted, 0.25)},
            {"p75_s", quantile(sorted, 0.75)},
            {"p95_s", quantile(sorted, 0.95)},
            {"max_s", sorted.back()},
            {"speedup", result.speedup.median},
            {"speedup_low", result.speedup.low},
            {"speedup_high", result.speedup.high}};
}

nlohmann::ordered_json to_json(const Result& result) {
    nlohmann::ordered_json json{{"collective", name(result.cell.collective)},
                                {"bytes", result.cell.bytes},
                                {"ranks", result.ranks},
                                {"recipe", result.recipe},
                                {"source", result.source},
                                {"correct", result.time.correct},
                                {"repetitions", result.time.repetitions},
                                {"calls_in_a_row", result.time.calls}};
    for (const auto& [name, number] : numbers(result)) json[name] = number;
    json["samples_s"] = result.time.samples;
    return json;
}

nlohmann::ordered_json to_json(const RegretSummary& summary) {
    return {{"mean", summary.mean},
            {"p95", summary.p95},
            {"max", summary.max},
            {"worst_against_native", summary.worst_against_native}};
}

nlohmann::ordered_json to_json(const RegretCell& cell) {
    nlohmann::ordered_json json{{"part", cell.part},
                                {"ranks", cell.ranks},
                                {"collective", name(cell.collective)},
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
    for (const auto& [recipe, seconds] : cell.times) json["times"][recipe] = seconds;
    return json;
}

}  // namespace

void print_heading(std::ostream& out, Collective collective, const Machine& machine) {
    out << fmt::format(
        "\n# echelon-bench {}: {} of {}{}{}, {} ranks on {} {}\n"
        "# {}; median of the slowest rank's times with its 95 % confidence interval\n{}",
        machine.echelon, name(collective), machine.type,
        collective != Collective::bcast ? ", " + machine.op : "",
        rooted(collective) ? fmt::format(", root {}", machine.root) : "", machine.ranks, machine.nodes,
        machine.nodes == 1 ? "node" : "nodes", machine.mpi, results_table.head());
}

MedianInterval speedup(const Time& native, const Time& other) {
    if (native.samples.size() != other.samples.size())
        return {native.seconds.median / other.seconds.median, native.seconds.low / other.seconds.high,
                native.seconds.high / other.seconds.low};
    std::vector<double> ratios;
    for (std::size_t i = 0; i < native.samples.size(); ++i)
        ratios.push_back(native.samples[i] / other.samples[i]);
    return median_interval(ratios);
}

void print_ranked(std::ostream& out, std::vector<Result> of_one_cell) {
    std::stable_sort(of_one_cell.begin(), of_one_cell.end(), [](const Result& a, const Result& b) {
        return a.time.seconds.median < b.time.seconds.median;
    });
    for (const Result& result : of_one_cell) {
        const Time& time = result.time;
        const auto text = [](double number) { return fmt::format("{:.2f}", number); };
        const bool told = result.source != "library" && result.source != "hint";
        out << results_table.row(
            {std::to_string(result.cell.bytes), text(time.seconds.median * 1e6), text(time.seconds.low * 1e6),
             text(time.seconds.high * 1e6), text(result.speedup.median), text(result.speedup.low),
             text(result.speedup.high), std::to_string(time.repetitions * std::size_t(time.calls)),
             time.correct ? "yes" : "WRONG",
             result.recipe + (told ? "  (chosen: " + result.source + ')' : "")});
    }
}

void write_csv(std::ostream& out, const Machine& machine, const std::vector<Result>& results) {
    std::vector<std::string> heads{"collective", "bytes",   "ranks",       "recipe",
                                   "source",     "correct", "repetitions", "calls_in_a_row"};
    if (!results.empty())
        for (const auto& [name, number] : numbers(results.front())) heads.push_back(name);
    for (const char* const head :
         {"samples_s", "simulated", "command", "binding", "start", "load", "governor", "crowded"})
        heads.emplace_back(head);
    out << csv_line(heads);
    for (const Result& result : results) {
        std::vector<std::string> fields{std::string(name(result.cell.collective)),
                                        std::to_string(result.cell.bytes),
                                        std::to_string(result.ranks),
                                        result.recipe,
                                        result.source,
                                        result.time.correct ? "true" : "false",
                                        std::to_string(result.time.repetitions),
                                        std::to_string(result.time.calls)};
        for (const auto& [name, number] : numbers(result)) fields.push_back(number_text(number));
        fields.push_back(fmt::format("{:.9g}", fmt::join(result.time.samples, " ")));
        fields.push_back(machine.simulated ? "true" : "false");
        fields.push_back(machine.command);
        fields.push_back(fmt::format("{}", fmt::join(machine.binding, " ")));
        fields.emplace_back(start_text(machine));
        fields.push_back(machine.load < 0 ? "" : fmt::format("{}", machine.load));
        fields.push_back(machine.governor);
        fields.emplace_back(machine.crowded ? "true" : "false");
        out << csv_line(fields);
    }
}

void write_json(std::ostream& out, const Machine& machine, const std::vector<Result>& results,
                const std::vector<Skipped>& skipped, bool finished) {
    nlohmann::ordered_json all;
    all["finished"] = finished;
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

void write_json(std::ostream& out, const Regrets& found) {
    const std::vector<RegretCell>& cells = found.cells;
    nlohmann::ordered_json all, regret = to_json(summary_of(cells));
    std::vector<std::string> names;
    for (const RegretCell& cell : cells)
        for (const auto& other : cell.others)
            if (std::find(names.begin(), names.end(), other.name) == names.end()) names.push_back(other.name);
    for (const auto& [part, of_part] : by_part(cells)) regret["by_part"][part] = to_json(summary_of(of_part));
    for (const std::string& name : names) regret["by_choice"][name] = to_json(summary_of(cells, name));
    regret["cells"] = nlohmann::ordered_json::array();
    for (const RegretCell& cell : cells) regret["cells"].push_back(to_json(cell));
    all["machine"] = to_json(found.machine);
    all["profile"] = nlohmann::ordered_json::parse(to_json(found.profile));
    all["placements"] = found.placements;
    all["regret"] = std::move(regret);
    out << all.dump(1) << '\n';
}

}  // namespace echelon::bench
