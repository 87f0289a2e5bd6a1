// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collective.hpp"
#include "core/slice.hpp"
#include "hier/recipe.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace echelon {

/// How a recipe is chosen.
enum class Policy : std::uint8_t {
    model,             ///< Least expected time: the model, corrected by measurements.
    sqrt,              ///< Best pair at sqrt(p) groups, always (Hasanov and Lastovetsky 2016).
    rabenseifner2004,  ///< Rule of the five protocols of the 2004 papers; native for other collectives.
    native,
    formula_hockney,  ///< Least time by the papers' closed forms, with one line for all message lengths.
    formula_plogp     ///< Like formula_hockney, with the message time by length (Forms::Model).
};
std::string_view name(Policy policy);
/// Throws Error for an unknown policy.
Policy parse_policy(std::string_view text);

/// A vector up to this length is short for the rules below, as for most libraries.
inline constexpr Bytes short_vector = Bytes(64) << 10;

/// A usual algorithm, which gives the same bits in every run: it combines in rank order and ignores the
/// placement.
Recipe reproducible_rule(Collective collective, Bytes bytes);

/// Algorithm named by the rule of the 2004 papers, as far as their text gives it (section 4 of the ICCS
/// paper, measured on a Cray T3E).
std::string rabenseifner_rule(int p, Bytes bytes, bool allreduce);

}  // namespace echelon
