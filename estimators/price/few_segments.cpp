// SPDX-License-Identifier: Apache-2.0
#include "estimators/price/few_segments.hpp"

#include "flat/catalog.hpp"
#include "hier/meaning.hpp"

#include <algorithm>

namespace echelon {
namespace {

/// The longest segment that a row of the recipe cuts into; 0: none does.
Bytes longest_segment(const Recipe& recipe, Collective collective) {
    Bytes longest = 0;
    for (const Recipe& part : recipe.parts) longest = std::max(longest, longest_segment(part, collective));
    if (recipe.segment) return std::max(longest, *recipe.segment);
    if (recipe.kind != Recipe::Kind::flat) return longest;
    const Algorithm* const row = meaning_of(recipe.name, collective).first;
    return row != nullptr && row->takes_segment ? row->default_segment : 0;
}

/// Of the vector, replayed.
struct Part {
    Bytes bytes;
    std::optional<Seconds> seconds = {};
    Seconds busiest = 0;
    std::size_t messages = 0;
    /// The whole, were it all segments, would have more.
    bool is_long(Bytes whole, std::size_t most) const {
        return double(messages) * double(whole) > double(most) * double(bytes);
    }
};

}  // namespace

std::optional<Seconds> by_few_segments(Replay& replay, const Recipe& recipe, Collective collective,
                                       Bytes bytes, Operation operation, std::size_t most) {
    // From a few on, each takes as long as the one before.
    constexpr Bytes some = 4;
    constexpr double mostly = 1.6;
    const auto replayed = [&](Bytes length) {
        Part made{.bytes = length};
        const std::size_t before = replay.messages();
        made.seconds = replay(recipe, collective, length, operation, most, &made.busiest);
        made.messages = replay.messages() - before;
        return made;
    };
    const Bytes first = some * longest_segment(recipe, collective);
    if (first == 0 || 2 * first >= bytes) return std::nullopt;
    Part few = replayed(first);
    if (!few.seconds || !few.is_long(bytes, most)) return std::nullopt;
    for (;;) {
        const Part more = replayed(2 * few.bytes);
        // Else it is not segments that make it long.
        if (!more.seconds || double(more.messages) < mostly * double(few.messages)) return std::nullopt;
        if (4 * more.messages > most || 2 * more.bytes >= bytes) {
            // Of so few that the last ones need not be typical, each may keep the busiest as long as they did in the mean.
            const Seconds busy = more.bytes < 4 * first ? more.busiest / 2 : more.busiest - few.busiest,
                          later = std::max(*more.seconds - *few.seconds, busy);
            return *more.seconds + later * double(bytes - more.bytes) / double(few.bytes);
        }
        few = more;
    }
}

}  // namespace echelon
