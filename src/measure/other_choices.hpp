// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace echelon {

/// Choices of other models and policies, to be measured with all other recipes: the estimator without trials;
/// the model without samples, with its corrections by family, without them, and with a plain line for each
/// network (Hockney); always sqrt(p) groups; the rule of the 2004 papers; native.
class OtherChoices {
public:
    OtherChoices(const Profile& profile, const Placement& placement);

    struct Choice {
        /// Empty for a mere proposal, which is not the choice of a model or policy.
        std::string name;
        Recipe recipe;
    };
    std::vector<Choice> of(Collective collective, Bytes bytes);

private:
    Decider estimator_;
    std::vector<std::pair<std::string, std::unique_ptr<Decider>>> models_;
};

}  // namespace echelon
