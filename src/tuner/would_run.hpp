// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

#include <string>

namespace echelon {

/// The choice for a call, as text.
struct InWords {
    std::string recipe, source, phases;
    /// Why a requested recipe does not serve; empty if it does.
    std::string refusal;
};

/// The choice by the knowledge of this rank. Collective on first use if there is a profile.
InWords would_run(Tuner& tuner, Collective collective, Bytes bytes);

}  // namespace echelon
