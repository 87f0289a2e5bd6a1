// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/candidates.hpp"
#include "estimators/replay.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace echelon {

/// Schedules of more messages are not replayed as a whole: about 1 us each.
constexpr std::size_t most_replayed_messages = 20000;

/// Overturns by replay what the sums of phases propose, the cheapest first. `predicted` replays a recipe as a whole by
/// `replay`, which counts its messages; it has nothing of what was measured.
void replay_first(std::vector<Priced>& priced, Collective collective, Bytes bytes, const Replay& replay,
                  const std::function<std::optional<Seconds>(const Recipe&)>& predicted);

}  // namespace echelon
