// SPDX-License-Identifier: Apache-2.0
#include "bench/regret.hpp"

#include "core/statistics.hpp"
#include "core/table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <ostream>

namespace echelon::bench {
namespace {

RegretSummary summary_of(std::vector<double> regrets, double worst_against_native) {
    RegretSummary summary{.worst_against_native = worst_against_native};
    for (const double one : regrets) summary.mean += one / double(regrets.size());
    std::sort(regrets.begin(), regrets.end());
    summary.p95 = quantile(regrets, 0.95);
    summary.max = regrets.back();
    return summary;
}

}  // namespace

RegretSummary summary_of(const std::vector<RegretCell>& cells) {
    std::vector<double> regrets;
    double worst = cells.front().against_native();
    for (const RegretCell& cell : cells) {
        regrets.push_back(cell.regret());
        worst = std::max(worst, cell.against_native());
    }
    return summary_of(std::move(regrets), worst);
}

std::vector<std::pair<std::string, std::vector<RegretCell>>> by_part(const std::vector<RegretCell>& cells) {
    std::vector<std::pair<std::string, std::vector<RegretCell>>> parts;
    for (const RegretCell& cell : cells) {
        if (parts.empty() || parts.back().first != cell.part) parts.push_back({cell.part, {}});
        parts.back().second.push_back(cell);
    }
    return parts;
}

RegretSummary summary_of(const std::vector<RegretCell>& cells, const std::string& other) {
    std::vector<double> regrets;
    double worst = -1;
    for (const RegretCell& cell : cells)
        for (const auto& [name, recipe, seconds] : cell.others)
            if (name == other && seconds > 0) {
                regrets.push_back(seconds / cell.best_seconds - 1);
                worst = std::max(worst, seconds / cell.native_seconds - 1);
            }
    return regrets.empty() ? RegretSummary() : summary_of(std::move(regrets), worst);
}

OtherChoices::OtherChoices(const Profile& profile, const Placement& placement)
    : estimator_(std::make_shared<const Profile>(profile), placement) {
    const auto add = [&](const char* name, Profile changed) {
        changed.samples.clear();
        changed.rules.clear();
        models_.emplace_back(
            name, std::make_unique<Decider>(std::make_shared<const Profile>(std::move(changed)), placement));
    };
    add("corrected", profile);
    Profile plain = profile;
    plain.corrections.clear();
    add("uncorrected", plain);
    // One line through a short and a long message.
    const auto line = [](const Network& network) -> Network {
        constexpr double most = 1 << 20;
        const Seconds alpha = message_time(network, 1);
        return Hockney{alpha, std::max(0.0, (message_time(network, most) - alpha) / most)};
    };
    if (plain.parameters) {
        plain.parameters->machine.inside = line(plain.parameters->machine.inside);
        plain.parameters->machine.between = line(plain.parameters->machine.between);
        add("hockney", plain);
    }
}

std::vector<OtherChoices::Choice> OtherChoices::of(Collective collective, Bytes bytes) {
    std::vector<Choice> choices{
        {"estimator", estimator_.decide(collective, bytes, Trainer::operation()).recipe}};
    for (const auto& [name, decider] : models_) {
        const auto all = decider->shortlist(collective, bytes, Trainer::operation(), 1);
        if (!all.empty()) choices.push_back({name, all.front().recipe});
    }
    for (const Policy policy : {Policy::sqrt, Policy::rabenseifner2004, Policy::native})
        if (const auto recipe =
                models_.front().second->named(policy, collective, bytes, Trainer::operation()))
            choices.push_back({std::string(name(policy)), *recipe});
    return choices;
}

std::vector<Recipe> finalists(const std::vector<Trainer::Measured>& measured,
                              const std::vector<OtherChoices::Choice>& choices) {
    std::vector<const Trainer::Measured*> by_time;
    for (const Trainer::Measured& one : measured)
        if (one.timing && !one.automatic) by_time.push_back(&one);
    std::stable_sort(by_time.begin(), by_time.end(), [](const auto* a, const auto* b) {
        return a->timing->seconds.median < b->timing->seconds.median;
    });
    constexpr std::size_t few = 5;
    by_time.resize(std::min(by_time.size(), few));
    std::vector<Recipe> all{Recipe()};
    const auto add = [&](const Recipe& recipe) {
        if (std::find(all.begin(), all.end(), recipe) == all.end()) all.push_back(recipe);
    };
    for (const auto* const one : by_time) add(one->recipe);
    for (const auto& choice : choices)
        if (!choice.name.empty()) add(choice.recipe);
    return all;
}

void add_others(RegretCell& cell, const std::vector<OtherChoices::Choice>& choices,
                const std::vector<Trainer::Measured>& measured) {
    for (const auto& [name, recipe] : choices) {
        if (name.empty()) continue;
        RegretCell::Other other{name, to_string(recipe), 0};
        for (const Trainer::Measured& one : measured)
            if (one.recipe == recipe && one.timing && !one.automatic)
                other.seconds = one.timing->seconds.median;
        cell.others.push_back(std::move(other));
    }
}

RegretCell cell_of(Collective collective, Bytes bytes, const std::string& chosen, const std::string& source,
                   const std::vector<Trainer::Measured>& measured) {
    RegretCell cell;
    cell.collective = collective;
    cell.bytes = bytes;
    cell.chosen = chosen;
    cell.source = source;
    double best_spread = 0, own_spread = 0;
    for (const auto& [recipe, is_automatic, timing, reason] : measured) {
        if (!timing) continue;
        const double seconds = timing->seconds.median;
        if (!is_automatic) cell.times.emplace_back(to_string(recipe), seconds);
        if (is_automatic) cell.seconds = seconds, own_spread = timing->spread();
        if (!is_automatic && recipe.kind == Recipe::Kind::native) cell.native_seconds = seconds;
        if (cell.best_seconds == 0 || seconds < cell.best_seconds) {
            cell.best_seconds = seconds;
            cell.best = is_automatic ? chosen : to_string(recipe);
            best_spread = timing->spread();
        }
    }
    cell.noise = own_spread + best_spread;
    return cell;
}

namespace {

const TextTable regret_table({{"collective", 10, TextTable::Side::left},
                              {"bytes", 8},
                              {"chosen us", 12},
                              {"best us", 12},
                              {"native us", 12},
                              {"regret", 8},
                              {"noise", 8},
                              {"native", 8},
                              {"chosen <- best", 0, TextTable::Side::left}},
                             "");

}  // namespace

void print_heading(std::ostream& out, const std::string& part, const Placement& placement) {
    out << fmt::format("# {}: {} ranks on {} {}\n{}", part, placement.size(), placement.node_count(),
                       placement.node_count() == 1 ? "node" : "nodes", regret_table.head());
}

void print_line(std::ostream& out, const RegretCell& cell) {
    const auto us = [](double seconds) { return fmt::format("{:.2f}", 1e6 * seconds); };
    const auto percent = [](double share) { return fmt::format("{:.1f}%", 100 * share); };
    out << regret_table.row({std::string(name(cell.collective)), format_bytes(cell.bytes), us(cell.seconds),
                             us(cell.best_seconds), us(cell.native_seconds), percent(cell.regret()),
                             percent(cell.noise), percent(cell.against_native()),
                             cell.chosen + (cell.chosen == cell.best ? "" : " <- " + cell.best)})
        << std::flush;
}

void print_summary(std::ostream& out, const RegretSummary& summary, std::size_t cells) {
    out << fmt::format(
        "regret over {} cells: mean {:.2f} %, 95 % of them below {:.2f} %, worst {:.2f} %; against native at worst "
        "{:+.2f} %\n",
        cells, 100 * summary.mean, 100 * summary.p95, 100 * summary.max, 100 * summary.worst_against_native);
}

}  // namespace echelon::bench
