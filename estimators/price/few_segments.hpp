// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/replay.hpp"

#include <optional>

namespace echelon {

/// What a recipe takes whose segments make for more messages than are replayed (most_messages): a few segments are, and each of
/// those that follow takes as long as the last of these, or as it keeps the busiest. Nullopt: it is not segments that make it long, or it
/// is not too long.
std::optional<Seconds> by_few_segments(Replay& replay, const Recipe& recipe, Collective collective,
                                       Bytes bytes, Operation operation);

}  // namespace echelon
