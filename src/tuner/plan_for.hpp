// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// The plan for a call, made on first use. If its recipe cannot serve, the native collective serves and the
/// refusal is logged; error: the source of the recipe is strict. `passed`: a call with a count above 0 is
/// valid, and equal ones skip this look-up while only the native collective can serve them. Collective on
/// first use.
Plan& plan_for(Tuner& tuner, const PlanKey& key, const PassedCall& passed);

}  // namespace echelon
