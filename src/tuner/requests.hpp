// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/default_costs.hpp"
#include "tuner/tuner.hpp"

#include <optional>

namespace echelon {

// The requests of the program and its user, which every rank finds by itself.

/// The choice for a call, if this rank knows it without a message: the recipe that is measured, a request, a
/// decision of the table; nullopt if rank 0 must decide. Local.
std::optional<Choice> known_choice(Tuner& tuner, const PlanKey& key);

/// True if all calls of the collective are native: the front door can skip them.
bool chooses_native_only(Tuner& tuner, Collective collective);

/// True if a trial of these calls is allowed. Equal on all ranks.
bool may_be_tried(Tuner& tuner, const PlanKey& key);
/// True if hierarchies are tried by default, as far as the placement is known.
bool tries_hierarchies(Tuner& tuner);
inline Recipe flat(std::string_view name) { return {.kind = Recipe::Kind::flat, .name = std::string(name)}; }
inline Recipe shared_memory() { return flat("shm"); }
/// True if shared memory is tried by default.
bool tries_shared_memory(Tuner& tuner);
/// True if a later exchange of the placement may show that all ranks sit on one node, because MPI_Init did
/// not tell.
bool may_turn_out_to_share_memory(Tuner& tuner);
/// True if shared memory is tried by default, and neither a request nor a measurement decides.
bool is_open_to_shared_memory(Tuner& tuner);

/// leaders(`groups`, ...) with algorithms for the collective and the sizes of a range. Requires: the range is
/// not empty.
BySize<Recipe> leaders_by_size(const Groups& groups, Collective collective, ByteRange sizes);

/// Default costs for this communicator.
DefaultCosts default_costs_here(Tuner& tuner);
/// Nanoseconds of a step of a short collective, for DefaultCosts.
std::uint64_t step_here(Tuner& tuner);

}  // namespace echelon
