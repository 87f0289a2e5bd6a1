// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/decide.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace echelon {

/// What else could choose, to be measured with all others: the estimator without trials; models without what
/// was measured of collectives, each with less than the one before: the families' corrections, messages that
/// overlap, a switch of protocols, a plain line (Hockney); always sqrt(p), the rule of the 2004 papers,
/// native.
class OtherChoices {
public:
    OtherChoices(const Profile& profile, const Placement& placement);

    struct Choice {
        /// Empty: a proposal that nobody stands for.
        std::string name;
        Recipe recipe;
    };
    std::vector<Choice> of(Collective collective, Bytes bytes);

private:
    Decider estimator_;
    std::vector<std::pair<std::string, std::unique_ptr<Decider>>> models_;
};

}  // namespace echelon
