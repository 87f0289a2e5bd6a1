// SPDX-License-Identifier: Apache-2.0
#include "estimators/choice/advisor.hpp"

#include "core/error.hpp"

namespace echelon {

void Advisor::set_policy(Collective collective, ByteRange sizes, Policy policy) {
    policies_[collective].add(sizes, policy);
}

Policy Advisor::policy(Collective collective, Bytes bytes) const {
    const auto named = policies_.find(collective);
    const Policy* const policy = named == policies_.end() ? nullptr : named->second.find(bytes);
    return policy == nullptr ? Policy::model : *policy;
}

bool Advisor::serves(const Recipe& recipe, Collective collective, Operation operation,
                     std::string& why) const {
    try {
        (void)resolve(recipe, collective, decider_->placement(), 0, operation);
        return true;
    } catch (const Error& error) {
        why = error.what();
        return false;
    }
}

std::optional<Advisor::Advice> Advisor::written(Collective collective, Bytes bytes, Operation operation,
                                                std::string& refusal) const {
    const int p = decider_->placement().size();
    for (const Rule& rule : profile().rules)
        if (rule.matches(collective, p, bytes) && serves(rule.recipe, collective, operation, refusal))
            return Advice{rule.recipe, Source::profile_rule, refusal};

    std::string ignored;
    if (policy(collective, bytes) == Policy::model)
        for (const LearnedDecision& learned : profile().decisions)
            if (learned.collective == collective && learned.p == p && learned.layout == decider_->layout() &&
                learned.sizes.contains(bytes) && serves(learned.recipe, collective, operation, ignored))
                return Advice{learned.recipe, Source::profile_decision, refusal, learned.seconds,
                              learned.native_seconds};
    return std::nullopt;
}

Advisor::Advice Advisor::advise(Collective collective, Bytes bytes, Operation operation) {
    std::string refusal;
    if (auto advice = written(collective, bytes, operation, refusal)) return std::move(*advice);
    const Decider::Chosen& chosen = decider_->chosen(collective, bytes, operation, policy(collective, bytes));
    return {chosen.recipe, Source::model, refusal, chosen.seconds, chosen.native_seconds};
}

Decider::Ground Advisor::ground(Collective collective, Bytes bytes, Operation operation) {
    std::string ignored;
    const Policy asked = policy(collective, bytes);
    return asked != Policy::model || written(collective, bytes, operation, ignored)
               ? Decider::Ground::decided
               : decider_->ground(collective, bytes, operation, asked);
}

}  // namespace echelon
