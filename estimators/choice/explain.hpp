// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/advisor.hpp"

namespace echelon {

/// The recipe chosen for a call, the alternatives, and why they were not chosen.
struct Explanation {
    Collective collective = Collective::allreduce;
    Bytes bytes = 0;
    int p = 1;
    std::string layout = {};
    /// Kind of messages among these ranks that the profile's calibration did not measure; empty if all were.
    std::string not_measured = {};
    Recipe chosen = {};
    /// Number of groups of `chosen`; 1 if it is flat.
    int groups = 1;
    Source source = Source::model;
    /// Reason why native is chosen; empty if another recipe is.
    std::string why_native = {};
    /// All recipes that may serve, the estimator's choice first.
    Decision decision = {};
    struct Rejected {
        Recipe recipe;
        std::string reason;
    };
    /// Recipes of the catalog, of rules and of samples that cannot serve the call.
    std::vector<Rejected> rejected = {};
    /// Recipes measured on these ranks whose native phases have no known time at this size.
    std::vector<Rejected> not_known = {};
    struct Asked {
        Recipe recipe;
        /// Time by the model alone; 0 if it has none or the recipe cannot serve.
        Seconds predicted = 0;
        /// Why it cannot serve; else empty.
        std::string reason = {};
    };
    /// Recipes that the caller asked about, candidates or not.
    std::vector<Asked> asked = {};
};

Explanation explain(Advisor& advisor, Collective collective, Bytes bytes, Operation operation,
                    const std::vector<Recipe>& asked = {});

/// A heading, a table of the first `most` candidates, the rejected recipes, and the recipes of unknown time.
std::string to_text(const Explanation& explanation, std::size_t most);
/// The whole explanation as JSON.
std::string to_json(const Explanation& explanation);

}  // namespace echelon
