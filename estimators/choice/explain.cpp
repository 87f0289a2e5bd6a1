// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/explain.hpp"

#include "core/error.hpp"
#include "core/format.hpp"
#include "core/table.hpp"
#include "core/units.hpp"
#include "flat/algorithm.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace echelon {
namespace {

std::string why_not(const Recipe& recipe, Collective collective, const Placement& placement,
                    Operation operation) {
    try {
        (void)resolve(recipe, collective, placement, 0, operation);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<Explanation::Rejected> rejected(Advisor& advisor, Collective collective, Bytes bytes,
                                            Operation operation) {
    const Placement& placement = advisor.decider().placement();
    std::vector<Explanation::Rejected> all;
    const auto look_at = [&](const Recipe& recipe) {
        const std::string reason = why_not(recipe, collective, placement, operation);
        const bool again =
            std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.recipe == recipe; });
        if (!reason.empty() && !again) all.push_back({recipe, reason});
    };
    for (const Rule& rule : advisor.profile().rules)
        if (rule.matches(collective, placement.size(), bytes)) look_at(rule.recipe);
    for (const Sample& sample : advisor.profile().samples)
        if (sample.collective == collective && sample.bytes == bytes && sample.p == placement.size() &&
            sample.layout == advisor.decider().layout())
            look_at(sample.recipe);
    for (const Algorithm& row : catalog(collective))
        look_at({.kind = Recipe::Kind::flat, .name = std::string(row.name)});
    return all;
}

/// Measured recipes whose native parts have no price at this size. They are not chosen outside the range of
/// their measured sizes.
std::vector<Explanation::Rejected> not_known(Advisor& advisor, Collective collective, Bytes bytes,
                                             Operation operation, const std::vector<Candidate>& ranked) {
    Decider& decider = advisor.decider();
    std::map<std::string, std::pair<Recipe, ByteRange>> measured;
    for (const Sample& one : advisor.profile().samples) {
        if (one.collective != collective || one.p != decider.placement().size() ||
            one.layout != decider.layout() || !one.recipe.has_native_parts())
            continue;
        ByteRange& sizes =
            measured.try_emplace(to_string(one.recipe), one.recipe, ByteRange{one.bytes, one.bytes})
                .first->second.second;
        sizes = {std::min(sizes.from, one.bytes), std::max(sizes.to, one.bytes)};
    }
    std::vector<Explanation::Rejected> all;
    for (const auto& [text, one] : measured) {
        const auto& [recipe, sizes] = one;
        if (sizes.contains(bytes) || std::ranges::count(ranked, recipe, &Candidate::recipe) > 0 ||
            !why_not(recipe, collective, decider.placement(), operation).empty() ||
            decider.has_price(recipe, collective, bytes, operation))
            continue;
        all.push_back({recipe, text + " was measured at " + to_string(sizes) +
                                   " bytes alone, and native not on such parts of these ranks: what it "
                                   "takes at other sizes is not known"});
    }
    return all;
}

std::string duration(Seconds time) { return time > 0 ? readable(time) : "-"; }

/// A sentence on the choice of the papers' formulas and its expected time; empty if they have no choice.
std::string first_by_formula(const std::vector<Candidate>& ranked) {
    const auto by_formula = [](const Candidate& one) {
        return one.by_formula > 0 ? one.by_formula : unlimited;
    };
    const auto first = std::ranges::min_element(ranked, {}, by_formula);
    if (first == ranked.end() || !(first->by_formula > 0) || !(first->expected > 0)) return {};
    const Seconds least = std::ranges::min_element(ranked, {}, &Candidate::expected)->expected;
    return "by the papers' formulas alone " + to_string(first->recipe) + " would be first" +
           (first->expected > least
                ? format(": expected to take %.2f times the least", first->expected / least)
                : "");
}

std::string why_native(const Advisor::Advice& advice, const Decision& decision) {
    if (advice.recipe.kind != Recipe::Kind::native) return {};
    if (advice.source == Source::profile_rule) return "a rule of the profile asks for it";
    if (advice.source == Source::profile_decision) return "it won a trial of an earlier run";
    if (decision.ranked.empty())
        return "the profile has neither parameters nor samples that apply here; `echelon calibrate` measures";
    return "no recipe is sure to be faster; the last column says why not";
}

}  // namespace

Explanation explain(Advisor& advisor, Collective collective, Bytes bytes, Operation operation,
                    const std::vector<Recipe>& asked) {
    Decider& decider = advisor.decider();
    std::vector<Explanation::Asked> answers;
    for (const Recipe& recipe : asked) {
        std::string reason = why_not(recipe, collective, decider.placement(), operation);
        const Seconds predicted =
            reason.empty() ? decider.predicted(recipe, collective, bytes, operation).value_or(0) : 0;
        answers.push_back({recipe, predicted, std::move(reason)});
    }
    const Advisor::Advice advice = advisor.advise(collective, bytes, operation);
    Decision decision = decider.decide(collective, bytes, operation, advisor.policy(collective, bytes));
    std::string why = why_native(advice, decision);
    auto unknown = not_known(advisor, collective, bytes, operation, decision.ranked);
    return {.collective = collective,
            .bytes = bytes,
            .p = decider.placement().size(),
            .layout = decider.layout(),
            .not_measured = std::string(decider.not_measured()),
            .chosen = advice.recipe,
            .groups = advice.recipe.groups
                          ? resolve(*advice.recipe.groups, decider.placement().size(), decider.placement())
                                .group_count()
                          : 1,
            .source = advice.source,
            .why_native = std::move(why),
            .decision = std::move(decision),
            .rejected = rejected(advisor, collective, bytes, operation),
            .not_known = std::move(unknown),
            .asked = std::move(answers)};
}

std::string to_text(const Explanation& explanation, std::size_t most) {
    const auto& ranked = explanation.decision.ranked;
    std::string text = std::string(name(explanation.collective)) + " of " + format_bytes(explanation.bytes) +
                       " bytes on " + std::to_string(explanation.p) + " ranks (" + explanation.layout +
                       "): " + to_string(explanation.chosen) + ", chosen by the " +
                       (explanation.source == Source::model          ? "model"
                        : explanation.source == Source::profile_rule ? "profile's rule"
                                                                     : "profile's decision") +
                       '\n';
    constexpr auto left = TextTable::Side::left;
    const TextTable table({{"", 3},
                           {"expected", 12},
                           {"by model", 12},
                           {"by formula", 12},
                           {"error", 7},
                           {"rests on", 13, left},
                           {"recipe, and why not", 0, left}});
    if (!explanation.not_measured.empty())
        text += "  " + explanation.not_measured +
                ": not measured; what times by the model say of such messages may be off by any factor\n";
    if (!explanation.why_native.empty()) text += "  native: " + explanation.why_native + '\n';
    if (!ranked.empty()) text += table.head();
    for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) {
        const Candidate& one = ranked[i];
        text += table.row({std::to_string(i + 1), duration(one.expected), duration(one.predicted),
                           duration(one.by_formula), format("%.0f%%", 100 * one.error),
                           std::string(name(one.basis)),
                           to_string(one.recipe) + (one.reason.empty() ? "" : "  (" + one.reason + ')')});
    }
    if (const std::string first = first_by_formula(ranked); !first.empty()) text += "  " + first + '\n';
    if (ranked.size() > most)
        text += "  and " + std::to_string(ranked.size() - most) + " more; --all lists them\n";
    for (const auto& [recipe, reason] : explanation.rejected) text += "  cannot serve: " + reason + '\n';
    for (const auto& [recipe, reason] : explanation.not_known) text += "  left out: " + reason + '\n';
    for (const auto& [recipe, predicted, reason] : explanation.asked)
        text += "  asked: " + to_string(recipe) +
                (reason.empty() ? ", " + duration(predicted) + " by the model" : " cannot serve: " + reason) +
                '\n';
    return text;
}

std::string to_json(const Explanation& explanation) {
    using Json = nlohmann::ordered_json;
    Json candidates = Json::array(), rejected = Json::array(), not_known = Json::array(),
         asked = Json::array();
    for (const Candidate& one : explanation.decision.ranked) {
        Json row{{"recipe", to_string(one.recipe)}, {"expected_s", one.expected}};
        if (one.predicted > 0) row["predicted_s"] = one.predicted;
        if (one.by_formula > 0) row["formula_s"] = one.by_formula;
        if (one.basis == Basis::measured) row["measured_s"] = one.expected;
        row["error"] = one.error;
        row["basis"] = name(one.basis);
        if (!one.reason.empty()) row["reason"] = one.reason;
        candidates.push_back(std::move(row));
    }
    for (const auto& [recipe, reason] : explanation.rejected)
        rejected.push_back({{"recipe", to_string(recipe)}, {"reason", reason}});
    for (const auto& [recipe, reason] : explanation.not_known)
        not_known.push_back({{"recipe", to_string(recipe)}, {"reason", reason}});
    for (const auto& [recipe, predicted, reason] : explanation.asked) {
        Json row{{"recipe", to_string(recipe)}};
        if (predicted > 0) row["predicted_s"] = predicted;
        if (!reason.empty()) row["reason"] = reason;
        asked.push_back(std::move(row));
    }
    const Json json{{"collective", name(explanation.collective)},
                    {"bytes", explanation.bytes},
                    {"p", explanation.p},
                    {"layout", explanation.layout},
                    {"chosen", to_string(explanation.chosen)},
                    {"groups", explanation.groups},
                    {"source", name(explanation.source)},
                    {"why_native", explanation.why_native},
                    {"not_measured", explanation.not_measured},
                    {"candidates", candidates},
                    {"rejected", rejected},
                    {"not_known", not_known},
                    {"asked", asked}};
    return json.dump(1) + '\n';
}

}  // namespace echelon
