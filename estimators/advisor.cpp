// SPDX-License-Identifier: Apache-2.0
#include "estimators/advisor.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

namespace echelon {

std::string_view name(Advisor::From from) {
    constexpr std::array<std::string_view, 3> names{"rule", "learned", "estimator"};
    return names[std::size_t(from)];
}

Advisor::Advisor(std::shared_ptr<const Profile> profile, Placement placement)
    : profile_(profile), decider_(std::move(profile), std::move(placement)) {}

Bytes Advisor::size_class(Bytes bytes) {
    const int width = int(std::bit_width(bytes));
    constexpr int kept = 4;  // leading bits
    if (width <= kept) return bytes;
    const int cut = width - kept;
    return bytes >> cut << cut;
}

void Advisor::set_policy(Collective collective, Sizes sizes, Policy policy) {
    policies_.push_back({collective, sizes, policy});
}

Policy Advisor::policy(Collective collective, Bytes bytes) const {
    for (auto named = policies_.rbegin(); named != policies_.rend(); ++named)
        if (named->collective == collective && named->sizes.contains(bytes)) return named->policy;
    return Policy::model;
}

bool Advisor::serves(const Recipe& recipe, Collective collective, Operation operation,
                     std::string& why) const {
    try {
        (void)resolve(recipe, collective, decider_.placement(), 0, operation);
        return true;
    } catch (const Error& error) {
        why = error.what();
        return false;
    }
}

Advisor::Advice Advisor::operator()(Collective collective, Bytes bytes, Operation operation) {
    const int p = decider_.placement().size();
    std::string refusal;
    for (const Rule& rule : profile_->rules)
        if (rule.matches(collective, p, bytes) && serves(rule.recipe, collective, operation, refusal))
            return {rule.recipe, From::rule, refusal};

    const Policy asked = policy(collective, bytes);
    std::string ignored;
    if (asked == Policy::model)
        for (const LearnedDecision& learned : profile_->decisions)
            if (learned.collective == collective && learned.p == p && learned.layout == decider_.layout() &&
                learned.sizes.contains(bytes) && serves(learned.recipe, collective, operation, ignored))
                return {learned.recipe, From::learned, refusal};

    return {decided(collective, bytes, operation).recipe, From::estimator, refusal};
}

const std::vector<Recipe>& Advisor::rivals(Collective collective, Bytes bytes, Operation operation) {
    return decided(collective, bytes, operation).rivals;
}

const Advisor::Decided& Advisor::decided(Collective collective, Bytes bytes, Operation operation) {
    const Bytes representative = size_class(bytes);
    const Policy asked = policy(collective, bytes);
    const auto [known, is_new] =
        decided_.try_emplace(Asked{collective, representative, operation.in_order, operation.exact, asked});
    if (!is_new) return known->second;
    const Decision decision =
        decider_.decide(collective, representative, operation, asked, Decider::Reasons::left_out);
    known->second.recipe = decision.recipe;
    if (asked != Policy::model) return known->second;  // it was asked for
    // The chosen one is the first of the ranked, unless nothing is promised.
    const Recipe& chosen = decision.recipe;
    const Seconds time = decision.expected > 0 ? decision.expected : unlimited;
    std::vector<const Candidate*> by_time;
    for (const Candidate& one : decision.ranked)
        if (one.expected * (1 - std::min(one.error, 0.5)) < time) by_time.push_back(&one);
    std::stable_sort(by_time.begin(), by_time.end(),
                     [](const auto* a, const auto* b) { return a->expected < b->expected; });
    std::set<std::string_view> classes{class_of(chosen), class_of(Recipe())};
    constexpr std::size_t most = 3;
    for (const Candidate* const one : by_time)
        if (known->second.rivals.size() < most && classes.insert(class_of(one->recipe)).second)
            known->second.rivals.push_back(one->recipe);
    return known->second;
}

}  // namespace echelon
