// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/default_costs.hpp"
#include "tuner/tuner.hpp"

namespace echelon {

// Choices that every rank makes by itself, with the same result on all ranks.

/// Number of ranks from which hierarchies are tried by default.
constexpr int least_ranks = 4;

/// The choice for a call, if this rank knows it without a message. The first source that has one wins: a
/// forced recipe, mode off, a hint of the program, info keys, settings, a finding of a trial, a decision of
/// rank 0. Nullopt: rank 0 must decide. Local.
std::optional<Choice> known_choice(Tuner& tuner, const PlanKey& key);

/// The recipes that settings of a communicator or of the process force on a collective, without native ones.
std::vector<Recipe> forced(const Settings& settings, Collective collective);

/// True if all calls of the collective are native: the front door can skip them.
bool chooses_native_only(Tuner& tuner, Collective collective);

/// Number of native calls before a class is decided, so that deciding costs at most 5 % of them. 0 if a
/// profile, or on several nodes a file of findings, may know better, unless rank 0 has marked the calls as
/// undecided.
long native_calls_before_decision(Tuner& tuner, const PlanKey& key);

/// The trial of a call, begun if it is new; nullptr if nothing is tried. `source`: the source of the choice
/// that runs.
Trial* trial_of(Tuner& tuner, const PlanKey& key, Source source);

/// Default costs for this communicator.
DefaultCosts default_costs_here(Tuner& tuner);
/// Measured time of a message between nodes over the time that DefaultCosts assumes; 1 if MPI_Init measured
/// none. It scales the times of arms that no profile knows. Equal on all ranks.
double network_slowdown(Tuner& tuner);

inline Recipe shared_memory() { return {.kind = Recipe::Kind::flat, .name = "shm"}; }
/// True if shared memory is tried by default.
bool tries_shared_memory(Tuner& tuner);
/// True if a later exchange of the placement may show that all ranks sit on one node, because MPI_Init did
/// not tell. Equal on all ranks.
bool may_turn_out_to_share_memory(Tuner& tuner);
/// True if shared memory is tried by default, and neither a request nor a measurement decides. Equal on all
/// ranks.
bool is_open_to_shared_memory(Tuner& tuner);

/// An algorithm that gives the same bits in every run: it combines in rank order and ignores the placement.
Recipe reproducible_rule(Collective collective, Bytes bytes);

/// leaders(`groups`, ...) with algorithms for the collective and the size.
Recipe leaders_recipe(Groups groups, Collective collective, Bytes bytes);
/// The recipes of all sizes in a range. Requires: the range is not empty.
BySize<Recipe> leaders_by_size(const Groups& groups, Collective collective, ByteRange sizes);

}  // namespace echelon
