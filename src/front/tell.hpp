// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cache/state.hpp"
#include "front/told_line.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <istream>
#include <vector>

namespace echelon {

// Rank 0 of a communicator thinks of calls that nobody knows, and tells.

enum class Telling : bool {
    at_once,
    /// Nobody waits: calls that have gone natively before do so until the answer has come, some calls later that synchronise.
    in_passing
};
/// Lets rank 0 decide such calls and tell; makes what those that wait for nobody need for it. Requires, in passing: no other answer is under way. Collective.
void tell(State& state, const std::vector<PlanKey>& keys, Telling how = Telling::at_once);
/// An answer is under way, and one more call begins that synchronises. Collective.
void go_on_telling(State& state, Telling how);

// What this, and other ways to tell, are made of.

/// What rank 0 thinks of a call that nobody knows; whatever happens, it has something to tell.
ToldChoice opinion(State& state, const PlanKey& key);
/// What it tells of a call: nothing new, when to ask again, or its opinion.
Told news(State& state, const PlanKey& key);
/// What it has told of some calls, on all ranks. `provide(recipe, key)` makes what calls need that wait for nobody.
void hear(State& state, std::istream& lines,
          const std::function<void(const Recipe& recipe, const PlanKey& key)>& provide);
/// A notice of so many calls: a few numbers, and for each some recipes and what they should take. What goes beyond it takes a message more.
constexpr std::size_t room_for(std::size_t calls) {
    return std::min<std::size_t>(200 + 400 * calls, Handout::usual_room);
}
/// Some of these recipes needs a way for messages, and nothing else of the library. Rank 0 asks.
bool waits_for_route(State& state, const ToldChoice& told, Collective collective);
/// A new way that rank 0 tells; -1: this process has none left. Local.
int take_route(State& state);
/// Messages go by that route from now on, unless they have one; -1: as before. The same on all ranks.
void follow(State& state, int route);

}  // namespace echelon
