// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "estimators/price/replay.hpp"

#include <optional>

namespace echelon {

/// Time of a recipe with segments that needs more than `most` messages. It replays a few segments; each
/// further segment takes as long as the last of these, or as long as it occupies the busiest resource. Empty
/// if the recipe is short enough, or if segments are not the cause of its length.
std::optional<Seconds> by_few_segments(Replay& replay, const Recipe& recipe, Collective collective,
                                       Bytes bytes, Operation operation, std::size_t most);

/// Work of the busiest port, card or processor: by two and four segments, as each further segment takes as
/// much. Empty if they, or a recipe without segments, take more than `most` messages.
std::optional<Seconds> busiest_by_few_segments(Replay& replay, const Recipe& recipe, Collective collective,
                                               Bytes bytes, Operation operation, std::size_t most);

}  // namespace echelon
