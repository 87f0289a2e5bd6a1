// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/slice.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace echelon {

/// How a recipe is chosen.
enum class Policy : std::uint8_t {
    model,             ///< The least expected time: model, corrected by what was measured.
    sqrt,              ///< The best pair at sqrt(p) groups, always (Hasanov and Lastovetsky 2016).
    rabenseifner2004,  ///< The five protocols' rule of the 2004 papers; native for other collectives.
    native,
    formula_hockney,  ///< The least by the papers' closed forms, with one line for messages of all lengths.
    formula_plogp     ///< The same, with a message's time by its length (Forms::Model).
};
std::string_view name(Policy policy);
/// Error: there is no such policy.
Policy parse_policy(std::string_view text);

/// The 2004 papers' rule, as far as their text gives it (section 4 of the ICCS paper, measured on a Cray
/// T3E): the name of an algorithm.
std::string rabenseifner_rule(int p, Bytes bytes, bool allreduce);

}  // namespace echelon
