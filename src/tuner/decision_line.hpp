// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/decisions.hpp"

#include <optional>
#include <string>

namespace echelon {

/// A call of a collective of any size.
PlanKey any_call(Collective collective);

/// Rank 0's message about one call, sent as a line of fields separated by tabulators.
struct DecisionMessage {
    PlanKey key;
    /// Nullopt: every rank knows the choice, or the decision comes later.
    std::optional<CallDecision> decision = {};
    /// Number of native calls before rank 0 is asked again.
    long later = 0;
    /// Upper end, in bytes, of the sizes for which a decision for a common size holds.
    Bytes until = 0;
};

std::string to_line(const DecisionMessage& message);
DecisionMessage from_line(const std::string& text);

}  // namespace echelon
