// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// Makes the choice a plan, which the communicator's table keeps. Error: the recipe cannot serve the call, alike on all ranks.
/// Collective unless own().is_provided().
Plan& make_plan(State& state, const PlanKey& key, Choice choice);

}  // namespace echelon
