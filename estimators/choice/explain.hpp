// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/choice/advisor.hpp"

namespace echelon {

/// What was chosen for a call, what else there was, and why it was not chosen.
struct Explanation {
    Collective collective = Collective::allreduce;
    Bytes bytes = 0;
    int p = 1;
    std::string layout = {};
    /// Messages among these ranks that the profile's calibration had none of; empty: none such.
    std::string not_measured = {};
    Recipe chosen = {};
    /// How many groups that makes; 1: it is flat.
    int groups = 1;
    Source source = Source::model;
    /// All that may serve, the estimator's choice first.
    Decision decision = {};
    struct Rejected {
        Recipe recipe;
        std::string reason;
    };
    /// Recipes of the catalog, of rules and of samples that cannot serve the call.
    std::vector<Rejected> rejected = {};
    /// Such as were measured on such ranks, but of whose native phases nothing is known at this size.
    std::vector<Rejected> not_known = {};
    struct Asked {
        Recipe recipe;
        /// By the model alone; 0: it has no word, or the recipe cannot serve.
        Seconds predicted = 0;
        /// Why it cannot serve; else empty.
        std::string reason = {};
    };
    /// Recipes that somebody asked about, candidates or not.
    std::vector<Asked> asked = {};
};

Explanation explain(Advisor& advisor, Collective collective, Bytes bytes, Operation operation,
                    const std::vector<Recipe>& asked = {});

/// A heading, the first `most` candidates in a table, the rejected ones, and those of which nothing is known.
std::string to_text(const Explanation& explanation, std::size_t most);
/// All of it.
std::string to_json(const Explanation& explanation);

}  // namespace echelon
