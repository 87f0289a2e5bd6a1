// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"

namespace echelon {

/// From so many ranks on hierarchies are tried unasked, and machines looked at.
constexpr int least_ranks = 4, few_ranks = 16;

/// Which recipe serves a call, where every rank knows it by itself: what the program forced on the
/// communicator, else what its info keys ask for, else what the settings ask for, else what a trial has found
/// or one rank has told. Nothing: it must be decided and told. Local, the same on all ranks.
std::optional<Choice> known_choice(State& state, const PlanKey& key);

/// What the machine's profile says of such calls, else the rule, and what is to be tried beside it. For one
/// rank, which tells the others: what is found by rounding may be another recipe on another processor.
/// Requires, where there is a profile: state.own().placement(true, true) was asked for.
ToldChoice decide(State& state, const PlanKey& key);

/// So many calls of a class are native before the ranks talk about them: what that takes is then small beside
/// them. None where a profile, or on several nodes a file of findings, may know better. The same on all ranks.
long calls_before_thinking(State& state, const PlanKey& key);

/// So many more should be, as far as this rank has seen: they have taken too little time yet for what a decision
/// takes. For one rank, which tells the others.
long calls_too_early(State& state, const PlanKey& key);

/// The tournament that such calls are part of, begun where it is new; nullptr: it is settled what runs.
/// `source`: of what runs.
Contest* contest_of(State& state, const PlanKey& key, Source source);

/// What a call would run by what this rank knows.
Choice choose(State& state, const PlanKey& key);

/// Recipes that settings, of a communicator or of the process, force on calls of a collective; native ones
/// left out.
std::vector<Recipe> forced(const Settings& settings, Collective collective);

/// choose() answers `native` for every call of that collective: the front door need not look at them.
bool chooses_native_only(State& state, Collective collective);

/// Decides where nothing was measured, by the built-in machine; what it thinks best is tried beside native.
/// Nullptr: a hierarchy has nothing to gain here, native stays.
std::shared_ptr<Decider> prior(State& state);

/// Where the same bits are asked for in every run: an algorithm that combines in rank order and knows nothing
/// of where ranks sit.
Recipe reproducible_rule(Collective collective, Bytes bytes);

/// leaders(`groups`, ...) with the algorithms that the rule takes for the collective and size.
Recipe leaders_recipe(Groups groups, Collective collective, Bytes bytes);

}  // namespace echelon
