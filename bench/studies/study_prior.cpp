// SPDX-License-Identifier: Apache-2.0
// Dependence of first choices on parts of the machine's description, without measurements: evaluated on cells
// that echelon-bench --regret has measured.
//
//   study_prior RESULT.json...
//
// Prints a line for each degree of knowledge of the machine: losses of the first choice, of the best of the
// tried recipes, and of the best of these and native, relative to the best recipe, in all cells of
// communicators on several nodes. A recipe that was not measured gets the time that the calibrated profile
// predicts.
#include "core/file.hpp"
#include "estimators/choice/decide.hpp"
#include "estimators/fit/learn_corrections.hpp"
#include "estimators/profile/built_in_machine.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using namespace echelon;

/// Time of a message between nodes: a line from short ones to long ones.
struct Link {
    Seconds latency;
    SecondsPerByte byte;
    BytesPerSecond card;
};

Link link_of(const Machine& machine) {
    constexpr double few = 8, some = 64 << 10, many = 128 << 10;
    const SecondsPerByte byte =
        (message_time(machine.between, many) - message_time(machine.between, some)) / (many - some);
    return {message_time(machine.between, few), byte, machine.card < unlimited ? machine.card : 1 / byte};
}

/// The built-in machine with this link; everything else keeps its proportion to it.
Machine with(const Link& link) {
    Machine made = built_in_machine(false, {link.latency, link.byte});
    made.card = link.card;
    return made;
}

/// The link with latency and time per byte multiplied by these factors.
Link off(Link link, double latency, double byte) {
    link.latency *= latency;
    link.byte *= byte;
    link.card /= byte;
    return link;
}

void set_overhead(Machine& machine, const Machine& from) {
    for (const auto& [to, source] :
         {std::pair(&machine.inside, &from.inside), {&machine.between, &from.between}}) {
        std::get<Protocol>(*to).send_overhead = std::get<Protocol>(*source).send_overhead;
        std::get<Protocol>(*to).receive_overhead = std::get<Protocol>(*source).receive_overhead;
    }
}

struct Way {
    std::string name;
    Machine (*machine)(const Machine& fitted);
    Width width = Width::few;
    double first = 0, tried = 0, with_native = 0;
    int cells = 0;
};

std::vector<Way> all_ways() {
    const auto built_in = [](const Machine&) { return built_in_machine(); };
    const auto fitted = [](const Machine& machine) { return machine; };
    const auto seen = [](const Machine& machine) { return with(link_of(machine)); };
    return {
        {"the built-in machine", built_in},
        {"the built-in machine, searched as widely as by a profile", built_in, Width::best},
        {"with the fitted latency",
         [](const Machine& machine) {
             Machine made = built_in_machine();
             made.between = with({link_of(machine).latency, usual_link.beta, 1}).between;
             return made;
         }},
        {"with the fitted rate and card",
         [](const Machine& machine) {
             const Link link = link_of(machine);
             return with({usual_link.alpha, link.byte, link.card});
         }},
        {"with both", seen},
        {"with both, the latency twice as long",
         [](const Machine& machine) { return with(off(link_of(machine), 2, 1)); }},
        {"with both, rate half as high",
         [](const Machine& machine) { return with(off(link_of(machine), 1, 2)); }},
        {"with both, latency four times as long and rate a quarter",
         [](const Machine& machine) { return with(off(link_of(machine), 4, 4)); }},
        {"with both, latency four times as long",
         [](const Machine& machine) { return with(off(link_of(machine), 4, 1)); }},
        {"with both, and messages inside nodes",
         [](const Machine& machine) {
             Machine made = with(link_of(machine));
             made.inside = machine.inside;
             made.memory = machine.memory;
             return made;
         }},
        {"with both, and the processor's overhead",
         [](const Machine& machine) {
             Machine made = with(link_of(machine));
             set_overhead(made, machine);
             return made;
         }},
        {"with both, and what combining and copying take",
         [](const Machine& machine) {
             Machine made = with(link_of(machine));
             made.gamma = machine.gamma;
             made.copy = machine.copy;
             return made;
         }},
        {"with both, and sites or torus",
         [](const Machine& machine) {
             Machine made = with(link_of(machine));
             made.beyond = machine.beyond;
             made.torus = machine.torus;
             return made;
         }},
        {"with both, searched as widely as by a profile", seen, Width::best},
        {"the fitted machine", fitted},
        {"the fitted machine, searched as widely as by a profile", fitted, Width::best},
    };
}

/// Evaluates the cells of one part of a cluster's ranks.
void ask(std::vector<Way>& ways, const std::shared_ptr<const Profile>& calibrated, const Placement& placement,
         const std::vector<nlohmann::json>& cells) {
    Decider judge(calibrated, placement);
    std::vector<std::unique_ptr<Decider>> deciders;
    for (const Way& way : ways)
        deciders.push_back(std::make_unique<Decider>(
            std::make_shared<const Profile>(Profile{
                .parameters = Parameters{.machine = way.machine(calibrated->parameters.value().machine)}}),
            placement, way.width));
    for (const nlohmann::json& cell : cells) {
        const auto collective = *collective_named(cell.at("collective").get<std::string>());
        const auto bytes = cell.at("bytes").get<Bytes>();
        const Seconds native = cell.at("native_seconds");
        Seconds best = std::min(cell.at("best_seconds").get<Seconds>(), native);
        std::vector<std::vector<Seconds>> tried;
        for (const auto& decider : deciders) {
            std::vector<Seconds>& times = tried.emplace_back();
            for (const Recipe& one : decider->chosen(collective, bytes, {}, Policy::model).rivals) {
                const auto measured = cell.at("times").find(to_string(one));
                times.push_back(measured != cell.at("times").end()
                                    ? measured->get<Seconds>()
                                    : judge.expected(one, collective, bytes, {}));
                best = std::min(best, times.back());
            }
            if (times.empty()) times.push_back(native);
        }
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const Seconds least = *std::min_element(tried[i].begin(), tried[i].end());
            ways[i].first += tried[i].front() / best - 1;
            ways[i].tried += least / best - 1;
            ways[i].with_native += std::min(least, native) / best - 1;
            ++ways[i].cells;
        }
    }
}

void study(std::vector<Way>& ways, const std::string& path) {
    const auto result = nlohmann::json::parse(read_file(path));
    Profile profile = Profile::parse(result.at("profile").dump());
    learn_corrections(profile);
    const auto calibrated = std::make_shared<const Profile>(std::move(profile));
    std::map<std::string, std::vector<nlohmann::json>> parts;
    for (const auto& cell : result.at("regret").at("cells"))
        parts[cell.at("part").get<std::string>()].push_back(cell);
    constexpr int least_ranks = 4;  // smallest number with trials of hierarchies by default
    for (const auto& [part, cells] : parts)
        if (const Placement placement = placements(result.at("placements").at(part).get<std::string>());
            placement.node_count() > 1 && placement.size() >= least_ranks)
            ask(ways, calibrated, placement, cells);
}

}  // namespace

int main(int count, char** words) {
    try {
        std::vector<Way> ways = all_ways();
        for (const std::string& path : std::vector<std::string>(words + 1, words + count)) study(ways, path);
        fmt::print(
            "| what is known | first choice, mean % | best of those tried | and native | cells |\n"
            "|---|---:|---:|---:|---:|\n");
        for (const Way& way : ways) {
            const double share = 100.0 / std::max(1, way.cells);
            fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {} |\n", way.name, share * way.first,
                       share * way.tried, share * way.with_native, way.cells);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "study_prior: {}\n", error.what());
        return 1;
    }
    return 0;
}
