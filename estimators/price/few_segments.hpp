// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/replay.hpp"

#include <optional>

namespace echelon {

/// What a recipe takes whose segments make for more than `most` messages: a few segments are replayed, and each of those that follow
/// takes as long as the last of these, or as it keeps the busiest. Nullopt: it is not segments that make it long, or it is not too long.
std::optional<Seconds> by_few_segments(Replay& replay, const Recipe& recipe, Collective collective,
                                       Bytes bytes, Operation operation, std::size_t most);

}  // namespace echelon
