// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"
#include "front/rough.hpp"

namespace echelon {

// What every rank knows by itself, the same on all of them.

/// From so many ranks on hierarchies are tried unasked, and machines looked at.
constexpr int least_ranks = 4, few_ranks = 16;

/// Which recipe serves a call: what the program forced on the communicator, else what its info keys ask for, else
/// what the settings ask for, else what a trial has found or one rank has told. Nothing: it must be decided and told.
/// Local.
std::optional<Choice> known_choice(State& state, const PlanKey& key);

/// Recipes that settings, of a communicator or of the process, force on calls of a collective; native ones
/// left out.
std::vector<Recipe> forced(const Settings& settings, Collective collective);

/// Native for every call of that collective: the front door need not look at them.
bool chooses_native_only(State& state, Collective collective);

/// So many calls of a class are native before the ranks talk about them: what that takes is then small beside
/// them. None where a profile, or on several nodes a file of findings, may know better, as far as rank 0 has not said otherwise.
long calls_before_thinking(State& state, const PlanKey& key);

/// The tournament that such calls are part of, begun where it is new; nullptr: it is settled what runs.
/// `source`: of what runs.
Contest* contest_of(State& state, const PlanKey& key, Source source);

/// What things take here where nothing was measured.
Rough rough_here(State& state);
/// How much longer messages between nodes take than that supposes, as MPI_Init saw; by it go times of arms that no profile knows. The same on
/// all ranks.
double pace_seen(State& state);

inline Recipe shared_memory() { return {.kind = Recipe::Kind::flat, .name = "shm"}; }
/// Whether shared memory is tried unasked.
bool tries_shared_memory(State& state);
/// Nobody has looked yet whether all ranks sit on one node, as where MPI_Init was not seen. The same on all ranks.
bool may_turn_out_to_share_memory(State& state);
/// It is tried, and nothing that was asked for or measured says what runs. The same on all ranks.
bool is_open_to_shared_memory(State& state);

/// Where the same bits are asked for in every run: an algorithm that combines in rank order and knows nothing
/// of where ranks sit.
Recipe reproducible_rule(Collective collective, Bytes bytes);

/// leaders(`groups`, ...) with the algorithms that the rule takes for the collective and size.
Recipe leaders_recipe(Groups groups, Collective collective, Bytes bytes);
/// Those of all sizes of a range. Requires: it is not empty.
BySize<Recipe> leaders_by_size(const Groups& groups, Collective collective, ByteRange sizes);

}  // namespace echelon
