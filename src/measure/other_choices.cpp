// SPDX-License-Identifier: Apache-2.0
#include "measure/other_choices.hpp"

#include "estimators/price/forms.hpp"
#include "measure/trainer.hpp"

#include <algorithm>
#include <utility>

namespace echelon {

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
    if (plain.parameters) {
        plain.parameters->machine = Forms::in_lines(std::move(plain.parameters->machine));
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

}  // namespace echelon
