// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/tuner.hpp"

namespace echelon {

/// The plan for a call, made on first use. If its recipe cannot serve, the native collective serves and the
/// refusal is logged; error: the source of the recipe is strict. `passed`: a call with a count above 0 is
/// valid, and equal ones skip this look-up while only the native collective can serve them. Collective on
/// first use.
Plan& plan_for(Tuner& tuner, const PlanKey& key, const PassedCall& passed);

/// The plan for a nonblocking call: of the recipe that all ranks know for blocking calls. It moves no message
/// and is not tried. Null: the native collective serves, because the library does not let Echelon take
/// part in its progress. Errors like plan_for(). Requires: the ranks have a route. Local.
Plan* plan_for_started(Tuner& tuner, PlanKey key);
/// The plan for a persistent call, which keeps it. Rank 0 decides now if a profile may know. Null: the native
/// collective serves, because the library does not let Echelon take part in its progress and in MPI_Start.
/// Errors like plan_for(). Collective.
Plan* plan_for_persistent(Tuner& tuner, const PlanKey& key);

}  // namespace echelon
