// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// Makes a plan of the choice and stores it in the communicator's table. A plan that `is_measured` is neither
/// counted nor traced. Error, on all ranks: the recipe cannot serve the call. Collective unless
/// own().is_provided().
Plan& make_plan(State& state, const PlanKey& key, Choice choice, bool is_measured = false);
/// Makes the plan of a nonblocking call, which only sends messages on the communicator's route. Error, on all
/// ranks: the recipe needs more than messages. Requires: own().has_route(). Local.
Plan& make_started_plan(State& state, const PlanKey& key, Choice choice);

/// Prepares a plan again if these are not the blocks of its last call. Requires: the plan is not native.
/// Local.
void fit(Plan& plan, State& state, const PlanKey& key, const GivenBlocks& given);

/// A recipe that the user forced cannot serve, and no other may run (ECHELON_STRICT, strict hints).
struct Refused : Error {
    using Error::Error;
};

}  // namespace echelon
