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

Advisor::Advice Advisor::operator()(Collective collective, Bytes bytes, Operation operation) {
    const int p = decider_->placement().size();
    std::string refusal;
    for (const Rule& rule : profile().rules)
        if (rule.matches(collective, p, bytes) && serves(rule.recipe, collective, operation, refusal))
            return {rule.recipe, Source::profile_rule, refusal};

    const Policy asked = policy(collective, bytes);
    std::string ignored;
    if (asked == Policy::model)
        for (const LearnedDecision& learned : profile().decisions)
            if (learned.collective == collective && learned.p == p && learned.layout == decider_->layout() &&
                learned.sizes.contains(bytes) && serves(learned.recipe, collective, operation, ignored))
                return {learned.recipe, Source::profile_decision, refusal, learned.seconds,
                        learned.native_seconds};

    const Decider::Chosen& chosen = decider_->chosen(collective, bytes, operation, asked);
    return {chosen.recipe, Source::model, refusal, chosen.seconds, chosen.native_seconds};
}

}  // namespace echelon
