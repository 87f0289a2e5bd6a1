// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tuner/decision_line.hpp"
#include "tuner/tuner.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <istream>
#include <vector>

namespace echelon {

// Rank 0 of a communicator decides calls and broadcasts its decisions.

enum class Telling : bool {
    at_once,
    /// An asynchronous broadcast. The calls stay native until it ends, after some synchronising calls.
    in_passing
};
/// Rank 0 decides these calls and broadcasts the decisions; all ranks take them over, and provide for calls
/// that do not synchronise. Calls that have not run natively before are told at once in any case.
/// Requires, in passing: no broadcast is under way. Collective.
void tell(Tuner& tuner, const std::vector<PlanKey>& keys, Telling how = Telling::at_once);
/// Counts a synchronising call during an asynchronous broadcast. Ends the broadcast once it has almost surely
/// arrived, or at once. Collective.
void advance_telling(Tuner& tuner, Telling how);

// The parts of these functions.

/// decide() on rank 0; native if it fails.
CallDecision decide_or_native(Tuner& tuner, const PlanKey& key);
/// Rank 0's message about a call: empty if every rank knows the choice, else a number of native calls that
/// come first, or a decision.
DecisionMessage message_for(Tuner& tuner, const PlanKey& key);
/// Takes over rank 0's lines, on all ranks. `provide(recipe, key)` serves calls that do not synchronise.
void take_lines(Tuner& tuner, std::istream& lines,
                const std::function<void(const Recipe& recipe, const PlanKey& key)>& provide);
/// Bytes for a message about `calls` calls: for each some recipes with expected times. A longer text takes a
/// second message.
constexpr std::size_t room_for(std::size_t calls) {
    return std::min<std::size_t>(200 + 400 * calls, AsyncBroadcast::usual_room);
}
/// True if a recipe of the decision lacks a route for its messages and nothing else. For rank 0.
bool waits_for_route(Tuner& tuner, const CallDecision& decision, Collective collective);
/// A new route for rank 0's message; -1 if this process has none left. Local.
int take_route(Tuner& tuner);
/// The route of messages, unless there is one already; -1: no route. Equal on all ranks.
void use_route(Tuner& tuner, int route);

}  // namespace echelon
