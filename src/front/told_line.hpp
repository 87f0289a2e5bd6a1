// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/told_choices.hpp"

#include <optional>
#include <string>

namespace echelon {

/// A call of a collective, whatever its size.
PlanKey any_call(Collective collective);

/// What rank 0 says about one call, in a line of fields that travels. Recipes have no tabulators.
struct Told {
    PlanKey key;
    /// Nothing: every rank knows by itself,
    std::optional<ToldChoice> decision = {};
    /// or so many calls come before anybody thinks.
    long later = 0;
    /// Of usual calls: what is said holds below that size in bytes.
    Bytes until = 0;
};

std::string to_line(const Told& told);
Told from_line(const std::string& text);

}  // namespace echelon
